package transcript

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strconv"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Span is the byte range in Envelope.Line of the content of a JSON string.
type Span struct{ Start, End int }

// ToolSpan has the ID of a tool call, from the call or its result.
type ToolSpan struct {
	ID     []byte
	Result bool
}

// Envelope is the result of Scan for one line. The byte slices are valid until the next Scan, or until the buffer of
// the line is reused. A field with the comment "raw" is an undecoded JSON string; see jsonlex.Unquote.
type Envelope struct {
	Line []byte // the bytes to which each Span refers: the line, or its canonical form

	Type, Subtype   []byte
	UUID            []byte
	Chained         bool   // the record has a parentUuid, perhaps null
	Parent, Logical []byte // parentUuid, logicalParentUuid
	MessageID       []byte // message.id
	RequestID       []byte
	Role, Model     []byte // role and model of the message
	Time            []byte // timestamp, as written
	Version         []byte
	Entrypoint      []byte
	SessionID       []byte
	Agent           []byte // agentId
	PromptSource    []byte // typed, sdk, system, queued
	Origin          []byte // origin.kind of a user record or a queued command, such as human or peer
	Cwd, Branch     []byte // raw
	CustomTitle     []byte // raw
	AITitle         []byte // raw
	Summary         []byte // raw
	Leaf            []byte // leafUuid of a summary
	ContinuedIn     []byte // continuedInSessionId of a continued-in record
	ForkedFrom      []byte // forkedFrom.sessionId, the origin of a copied record
	Operation       []byte // operation of a queue-operation
	Task            []byte // toolUseResult about a task; see isTask
	Content         Span   // text of a queue-operation or a system record
	AttachmentType  []byte
	AttachmentMode  []byte // commandMode of a queued_command
	AttachmentBad   bool   // the hook of the attachment failed or timed out
	Usage           Usage
	HasUsage        bool
	Sidechain, Meta bool
	CompactSummary  bool
	APIError        bool
	Denial          []byte     // toolDenialKind
	Feedback        []byte     // raw: userFeedback
	Refused         bool       // a tool result is an error
	Said            []byte     // raw: the first result of a rejected call, preferably one with a text of the user
	Blocks          int        // number of content blocks; 1 for a content string
	Text            []Span     // texts of the user and the assistant, and queued prompts
	Tools           []ToolSpan // IDs of calls and results in the content
	Edits           bool       // a call writes a file
	irregular       bool
	seen            uint32 // bits of the keys found in the current object
	ms              int64  // Time in Unix milliseconds; 0 if it is missing or invalid
}

// Verdict is the result of scanning a line.
type Verdict uint8

// The verdicts of Scan.
const (
	Invalid   Verdict = iota // not a JSON value
	NotObject                // a JSON value, but not an object
	Object
)

// Scan finds the envelope of a line without decoding the line. It accepts the lines of encoding/json, and uses the
// last of duplicate keys. If a key is duplicate or has escapes, the line is first rewritten with encoding/json. A
// line over 1 MB isn't rewritten, because that takes fifty times the memory. Scan then doesn't find keys with
// escapes.
func Scan(line []byte, e *Envelope) Verdict {
	v := scan(line, e)
	if v == Object && e.irregular && len(line) <= maxCanonical {
		if c, err := canonical(line); err == nil {
			return scan(c, e)
		}
	}
	return v
}

func scan(line []byte, e *Envelope) Verdict {
	text, tools := e.Text[:0], e.Tools[:0]
	*e = Envelope{Line: line, Text: text, Tools: tools}
	i := jsonlex.SkipSpace(line, 0)
	if i >= len(line) {
		return Invalid
	}
	if line[i] != '{' {
		if i = jsonlex.SkipValue(line, i, 0); i == jsonlex.Invalid || jsonlex.SkipSpace(line, i) != len(line) {
			return Invalid
		}
		return NotObject
	}
	end := e.object(i+1, 1, (*Envelope).topKey)
	if end == jsonlex.Invalid || jsonlex.SkipSpace(line, end) != len(line) {
		return Invalid
	}
	e.ms = parseTime(e.Time)
	if !e.speaks() {
		e.Text = e.Text[:0]
	}
	if e.queuesTask() {
		e.Text = append(e.Text, e.Content)
	}
	if string(e.Type) == "attachment" && !isHookError(string(e.AttachmentType)) {
		e.Tools = e.Tools[:0]
	}
	return Object
}

// speaks reports whether the text of the record belongs to the conversation.
func (e *Envelope) speaks() bool {
	switch string(e.Type) {
	case "user", "assistant":
		return true
	case "attachment":
		return string(e.AttachmentType) == "queued_command"
	}
	return false
}

// queuesTask reports whether the record queues a task notification. If the session ends early, no other record has
// the notification.
func (e *Envelope) queuesTask() bool {
	return string(e.Type) == "queue-operation" && string(e.Operation) == "enqueue" &&
		bytes.HasPrefix(e.Line[e.Content.Start:e.Content.End], []byte("<"+taskTag+">"))
}

const maxCanonical = 1 << 20 // bytes

// canonical rewrites a line without duplicate keys and without escapes in keys.
func canonical(line []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// keyFunc handles the key whose value is at i, and returns the index after the value. It calls once for each known
// key, with a bit of its own.
type keyFunc func(e *Envelope, key []byte, i, depth int) int

// object calls a keyFunc for each member of an object, from i.
func (e *Envelope) object(i, depth int, on keyFunc) int {
	outer := e.seen
	e.seen = 0
	end := e.members(i, depth, on)
	e.seen = outer
	return end
}

func (e *Envelope) members(i, depth int, on keyFunc) int {
	b := e.Line
	if depth > jsonlex.MaxDepth {
		return jsonlex.Invalid
	}
	if i = jsonlex.SkipSpace(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		start := i + 1
		end, escaped := jsonlex.SkipQuoted(b, start)
		if end == jsonlex.Invalid {
			return jsonlex.Invalid
		}
		if escaped {
			e.irregular = true
		}
		if i = jsonlex.SkipColon(b, end); i == jsonlex.Invalid {
			return jsonlex.Invalid
		}
		last := false
		if i, last = jsonlex.SkipComma(b, on(e, b[start:end-1], i, depth), '}'); last {
			return i
		}
	}
	return jsonlex.Invalid
}

// once marks a key as found. A key that was already found makes the line irregular.
func (e *Envelope) once(bit uint) (doubled bool) {
	doubled = e.seen&(1<<bit) != 0
	e.irregular = e.irregular || doubled
	e.seen |= 1 << bit
	return doubled
}

// dropMessage clears the fields of a message before a duplicate message is read.
func (e *Envelope) dropMessage() {
	e.MessageID, e.Role, e.Model, e.Usage, e.HasUsage = nil, nil, nil, Usage{}, false
	e.dropContent()
}

func (e *Envelope) dropContent() {
	e.Blocks, e.Text, e.Tools, e.Refused, e.Said = 0, e.Text[:0], e.Tools[:0], false, nil
}

// raw stores the undecoded string at i; nil for any other value. It returns the index after the value.
func (e *Envelope) raw(i, depth int, to *[]byte) int {
	*to = nil
	if i < len(e.Line) && e.Line[i] == '"' {
		end, _ := jsonlex.SkipQuoted(e.Line, i+1)
		if end != jsonlex.Invalid {
			*to = e.Line[i+1 : end-1]
		}
		return end
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

// word is raw with decoding, so that escapes make no difference.
func (e *Envelope) word(i, depth int, to *[]byte) int {
	*to = nil
	if i < len(e.Line) && e.Line[i] == '"' {
		end, escaped := jsonlex.SkipQuoted(e.Line, i+1)
		if end == jsonlex.Invalid {
			return jsonlex.Invalid
		}
		*to = e.Line[i+1 : end-1]
		if escaped || !plain(*to) {
			*to = []byte(jsonlex.Unquote(*to))
		}
		return end
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

// plain reports whether b needs no decoding.
func plain(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// truth stores the boolean at i; false for any other value. It returns the index after the value.
func (e *Envelope) truth(i, depth int, to *bool) int {
	*to = i < len(e.Line) && e.Line[i] == 't'
	return jsonlex.SkipValue(e.Line, i, depth)
}

// number stores the token count at i, rounded down; 0 for any other value. It returns the index after the value.
func (e *Envelope) number(i, depth int, to *int64) int {
	*to = 0
	end := jsonlex.SkipValue(e.Line, i, depth)
	if end == jsonlex.Invalid || e.Line[i] < '0' || e.Line[i] > '9' {
		return end
	}
	if end-i < 16 { // faster than strconv for most numbers
		n := int64(0)
		for _, c := range e.Line[i:end] {
			if n = 10*n + int64(c-'0'); c < '0' || c > '9' {
				n = -1
				break
			}
		}
		if n >= 0 {
			*to = n
			return end
		}
	}
	if f, err := strconv.ParseFloat(string(e.Line[i:end]), 64); err == nil && f < 1<<53 {
		*to = int64(f)
	}
	return end
}
