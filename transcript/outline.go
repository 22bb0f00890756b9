package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Outline describes a transcript without decoding its records: offsets, links, messages, threads and counts. It is
// built in one pass, and can be extended. It takes about 150 bytes for each record.
type Outline struct {
	Facts    Facts
	Counts   Counts
	Records  []Record
	Messages []MessageRef // messages of all threads in reading order
	Threads  []Thread     // the main thread first; it always exists
	Size     int64        // number of bytes that were read
	Dangling int          // number of records whose parent isn't in the file
	Turns    int          // number of prompts and answers outside of sidechains
	Tokens   Usage        // sum of all answers; the last record of an answer counts
	Hidden   bool         // a branch exists, which the client doesn't show
	Known    int          // number of Turns that the model knows after a resume

	// Each, if set, is called for each record when it is read. The arguments are valid only during the call. Reset
	// clears it.
	Each func(r *Record, e *Envelope)

	names    []string
	text     *strings.Builder // buffer for the next names
	ids      map[string]ID
	types    []string
	typeID   map[string]uint16
	calls    []callRef
	tasks    []taskRef
	launches []launchRef
	ends     []endRef
	kept     []keptRef
	cleared  map[ID]bool // IDs of the calls whose results the client has cleared
	usage    map[usageKey]Usage
	env      Envelope

	torn      bool    // Counts includes an incomplete last line
	badBefore int     // number of bad parts before the last line
	unread    []int32 // for each bad part, the number of records before it
	lastBad   int     // number of bad parts in the last line
}

// callRef is a tool ID, and the record with the call or with its result.
type callRef struct {
	id     ID
	record int32
	result bool
}

// usageKey identifies an answer. record is set only without a message ID.
type usageKey struct {
	message, request ID
	record           int32
}

// NewOutline returns an empty outline.
func NewOutline() *Outline {
	o := &Outline{
		text: new(strings.Builder), ids: map[string]ID{}, typeID: map[string]uint16{}, usage: map[usageKey]Usage{}, cleared: map[ID]bool{},
	}
	o.Reset()
	return o
}

// keepIDs is the maximum number of IDs in a map that Reset reuses. Clearing a larger map would take too long.
const keepIDs = 4096

// Reset empties the outline and reuses its memory. Slices of the outline become invalid.
func (o *Outline) Reset() {
	if len(o.ids) > keepIDs {
		o.ids, o.usage = map[string]ID{}, map[usageKey]Usage{}
	}
	clear(o.ids)
	clear(o.typeID)
	clear(o.usage)
	clear(o.cleared)
	*o = Outline{
		Records: o.Records[:0], names: append(o.names[:0], ""), text: o.text, ids: o.ids, types: o.types[:0], typeID: o.typeID,
		calls: o.calls[:0], tasks: o.tasks[:0], launches: o.launches[:0], ends: o.ends[:0],
		kept: o.kept[:0], unread: o.unread[:0], usage: o.usage, cleared: o.cleared, env: o.env, Counts: Counts{Types: map[string]int{}},
	}
}

// Extend reads from a Reader that starts at Size, and links the new records. It returns the number of bytes read.
// After an error, the outline has the records before the error.
func (o *Outline) Extend(ctx context.Context, r *Reader) (int64, error) {
	if o.torn {
		o.torn = false
		o.Counts.Unparsed--
	}
	from, records := r.BytesRead(), len(o.Records)
	err := o.read(ctx, r)
	o.Counts.Torn, o.Counts.Bad = o.torn || o.lastBad > 0, o.badBefore
	if o.torn {
		o.Counts.Bad += o.lastBad
	}
	if len(o.Records) > records || o.Threads == nil { // new records can change the threads
		o.link()
	}
	return r.BytesRead() - from, err
}

func (o *Outline) read(ctx context.Context, r *Reader) error {
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rest := int64(0) // bytes after the last complete record
		if l.Open {
			whole := o.whole(l)
			if rest = l.Length - whole; !l.Squeezed {
				l.Data = l.Data[:whole]
			}
			if rest > 0 {
				o.torn = true
				o.Counts.Unparsed++
			}
		}
		if !l.Squeezed || rest == 0 {
			o.line(l)
		}
		o.Size = r.offset - rest
	}
}

// line adds the parts of a line.
func (o *Outline) line(l Line) {
	first := true
	Parts(l, &o.env, func(p Part, e *Envelope) {
		if first { // a blank line has no parts
			o.badBefore, o.lastBad, first = o.badBefore+o.lastBad, 0, false
		}
		o.add(l, p, e)
	})
}

// whole returns the length of the complete records in a line without a newline.
func (o *Outline) whole(l Line) int64 {
	switch {
	case !l.Squeezed:
		return int64(wholeRecords(l.Data))
	case Scan(l.Data, &o.env) == Object:
		return l.Length
	}
	return 0
}

// bad counts a part that isn't a record.
func (o *Outline) bad() {
	o.lastBad++
	o.unread = append(o.unread, int32(len(o.Records)))
}

// add adds one part of a line.
func (o *Outline) add(l Line, p Part, e *Envelope) {
	switch p.Verdict {
	case Invalid:
		o.Counts.Unparsed++
		o.bad()
		return
	case NotObject:
		o.Counts.NotObjects++
		o.bad()
		return
	case Object:
	}
	kind := e.kind()
	var last Record // most records follow the last one
	if n := len(o.Records); n > 0 {
		last = o.Records[n-1]
	}
	rec := Record{
		Offset: l.Offset + int64(p.Start), Length: int64(p.End - p.Start), Time: e.UnixMilli(),
		UUID: o.id(e.UUID), Parent: o.idLike(e.Parent, last.UUID), Message: o.idLike(e.MessageID, last.Message), Agent: o.idLike(e.Agent, last.Agent),
		Type: o.typ(e.Type), Kind: kind, Said: e.said(),
	}
	if kind == KindBoundary {
		rec.Logical = o.id(e.Logical)
		o.kept = append(o.kept, o.keptBy(e.Line))
	}
	if kind == KindOther && string(e.Type) == "content-replacement" {
		o.clear(e.Line)
	}
	if l.Squeezed {
		rec.Offset, rec.Length = l.Offset, l.Length
		rec.Flags |= FlagElided
	}
	o.Facts.add(e, kind, rec.Offset, rec.Length)
	rec.setFlags(kind, e)
	n := int32(len(o.Records))
	o.Records = append(o.Records, rec)
	o.Counts.Types[o.types[rec.Type]]++
	if o.Each != nil {
		o.Each(&o.Records[n], e) // &rec would be allocated for each record
	}
	for _, t := range e.Tools {
		if len(t.ID) > 0 {
			o.calls = append(o.calls, callRef{o.id(t.ID), n, t.Result})
		}
	}
	if e.Task != nil && kind == KindToolResult {
		o.task(e.Task, n)
		o.launch(e, n)
	}
	if kind == KindNotice || kind == KindEvent {
		o.end(e, n)
	}
	if e.HasUsage && kind == KindAssistant {
		key := usageKey{message: rec.Message, request: o.id(e.RequestID)}
		if key.message == 0 {
			key.record = n + 1
		}
		o.Tokens = o.Tokens.Add(e.Usage).sub(o.usage[key])
		o.usage[key] = e.Usage
	}
}

func (u Usage) sub(v Usage) Usage {
	return Usage{u.Input - v.Input, u.Output - v.Output, u.CacheRead - v.CacheRead, u.CacheWrite - v.CacheWrite}
}

// setFlags sets the flags that depend only on the record.
func (r *Record) setFlags(kind Kind, e *Envelope) {
	r.set(FlagSidechain, e.Sidechain)
	r.set(FlagQuiet, kind == KindNotice && e.quiet())
	r.set(FlagAPIError, kind == KindSystem && string(e.Subtype) == apiError)
	r.set(FlagUnsent, e.APIError && string(e.Model) == synthetic)
	r.set(FlagEdits, e.Edits)
	fromClient := kind == KindNotice || kind == KindSystem
	r.set(FlagCommand, fromClient && e.begins("<command-name>") || kind == KindPrompt && e.begins("<bash-input>"))
	r.set(FlagOutput, fromClient && (e.begins("<local-command-std") || e.begins("<bash-std")))
	r.set(FlagFeedback, kind == KindToolResult && (e.hasFeedback() || e.promptText().End > 0))
}

// begins reports whether the text of a record starts with a tag of the client.
func (e *Envelope) begins(tag string) bool {
	text := e.Content
	if len(e.Text) > 0 {
		text = e.Text[0]
	}
	return bytes.HasPrefix(e.Line[text.Start:text.End], []byte(tag))
}

func (r *Record) set(f Flags, on bool) {
	if on {
		r.Flags |= f
	}
}

// maxID is the maximum length in bytes of a stored identifier. Identifiers of the client have 36 bytes.
const maxID = 256

// digest adds b to the FNV-1a hash h. h is 0 at the start.
func digest(h uint64, b []byte) uint64 {
	if h == 0 {
		h = 14695981039346656037
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// said returns a hash of the texts and tool IDs of a record; 0 if there are none.
func (e *Envelope) said() uint64 {
	h := uint64(0)
	for _, s := range e.Text {
		text := e.Line[s.Start:s.End]
		h = digest(h, text[len(text)&^7:])
		for ; len(text) >= 8; text = text[8:] {
			h = (h ^ binary.LittleEndian.Uint64(text)) * 1099511628211
			h ^= h >> 32
		}
	}
	for _, t := range e.Tools {
		h = digest(h, t.ID)
	}
	return h
}

// idChunk is the number of bytes to allocate at once for identifiers.
const idChunk = 16 << 10

// id interns an identifier; 0 for an empty one.
func (o *Outline) id(b []byte) ID {
	if len(b) == 0 {
		return 0
	}
	if len(b) > maxID {
		b = fmt.Appendf(nil, "%s…%016x", b[:maxID/2], digest(0, b))
	}
	if id, ok := o.ids[string(b)]; ok {
		return id
	}
	id := ID(len(o.names))
	if o.text.Cap()-o.text.Len() < len(b) {
		o.text = new(strings.Builder)
		o.text.Grow(idChunk)
	}
	start := o.text.Len()
	o.text.Write(b)
	s := o.text.String()[start:]
	o.names = append(o.names, s)
	o.ids[s] = id
	return id
}

// idLike is id, but first compares b with a likely ID.
func (o *Outline) idLike(b []byte, probably ID) ID {
	if o.names[probably] == string(b) {
		return probably
	}
	return o.id(b)
}

// typ interns a type name. Types after the first 65,535 get the same number.
func (o *Outline) typ(b []byte) uint16 {
	if n, ok := o.typeID[string(b)]; ok {
		return n
	}
	if len(o.types) > 0xfffe {
		return 0xfffe
	}
	n := uint16(len(o.types))
	o.types = append(o.types, string(b))
	o.typeID[string(b)] = n
	return n
}

// Name returns the text of an ID; "" for 0.
func (o *Outline) Name(id ID) string { return o.names[id] }

// TypeName returns the type of a record as written in the file.
func (o *Outline) TypeName(r *Record) string { return o.types[r.Type] }

// Damaged reports whether the file has a bad line before the last one, or a missing parent.
func (o *Outline) Damaged() bool { return o.Counts.Bad > 0 || o.Dangling > 0 }

// RecordAt returns the index of the record at an offset in the file; false if there is none.
func (o *Outline) RecordAt(offset int64) (int, bool) {
	return slices.BinarySearchFunc(o.Records, offset, func(r Record, at int64) int { return cmp.Compare(r.Offset, at) })
}

// MessageWith returns the index of the message with a record.
func MessageWith(messages []MessageRef, record int) (int, bool) {
	i := slices.IndexFunc(messages, func(m MessageRef) bool {
		return slices.ContainsFunc(m.Records, func(n int32) bool { return int(n) == record })
	})
	return i, i >= 0
}

// Named returns the indexes of the messages whose ID starts with prefix. It compares the IDs of all records, and
// ignores case.
func (o *Outline) Named(messages []MessageRef, prefix string) []int {
	named := func(id ID) bool {
		name := o.Name(id)
		return len(prefix) <= len(name) && strings.EqualFold(name[:len(prefix)], prefix)
	}
	var list []int
	for i := range messages {
		if m := &messages[i]; named(m.ID) || slices.ContainsFunc(m.Records, func(r int32) bool { return named(o.Records[r].UUID) }) {
			list = append(list, i)
		}
	}
	return list
}
