package search

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// readers is the number of transcripts that are read at the same time.
const readers = 2

// calls finds matches in tool calls, their results, and thoughts, which aren't in the index. It reads the
// transcripts, newest first, and decodes records that can match.
func (g *groups) calls(ctx context.Context) error {
	if len(g.q.Terms) == 0 && !g.named() {
		return ctx.Err()
	}
	type target struct {
		path string
		o    owner
		kind index.Kind
	}
	var list []target
	for path, o := range g.corpus.byPath {
		if o.row == nil || o.row.Kind == sessions.KindDocument || !o.allows(g.q, g.o.Project) {
			continue
		}
		kind := o.kind()
		if path != o.row.Path {
			kind = index.Subagent
		}
		list = append(list, target{path, o, kind})
	}
	slices.SortFunc(list, func(a, b target) int { return b.o.row.When().Compare(a.o.row.When()) })
	free := make(chan *transcript.Reader, readers)
	for range readers {
		free <- transcript.NewReader(nil, 0)
	}
	sessions.Parallel(ctx, len(list), readers, func(i int) {
		c := callReader{g: g, o: list[i].o, path: list[i].path, kind: list[i].kind, calls: map[string]bool{}}
		lines := <-free
		c.read(ctx, lines)
		free <- lines
	})
	return ctx.Err()
}

// callReader reads one transcript.
type callReader struct {
	g     *groups
	o     owner
	path  string
	kind  index.Kind
	calls map[string]bool // IDs of the calls that the fields tool: and file: allow
	env   transcript.Envelope
}

func (c *callReader) read(ctx context.Context, lines *transcript.Reader) {
	src, _, err := transcript.OpenFile(c.path)
	if err != nil {
		return // ignore the error, because the session list reports it
	}
	defer src.Close()
	lines.Reset(src, 0)
	for n := 0; ; n++ {
		if n%64 == 0 {
			if ctx.Err() != nil {
				return
			}
			c.g.tick()
		}
		l, err := lines.Next()
		if err != nil {
			return // the transcript was searched up to the read error
		}
		if c.g.named() || c.g.q.MayContain(l.Data) {
			transcript.Parts(l, &c.env, func(p transcript.Part, e *transcript.Envelope) {
				if p.Verdict == transcript.Object {
					c.record(l.Offset+int64(p.Start), e)
				}
			})
		}
	}
}

// record adds a matching record, unless the search in the index has found it.
func (c *callReader) record(offset int64, e *transcript.Envelope) {
	when := transcript.At(e.UnixMilli())
	if c.g.named() && !c.mayBeAllowed(e) || !c.g.named() && !c.g.within(when) {
		return
	}
	t := c.texts(e)
	// Check the dates after texts, which remembers allowed calls: a result may be on another day.
	if t.role == "" || c.g.named() && !t.allowed || !c.g.within(when) || !c.g.q.Has(query.Role, t.roles()...) {
		return
	}
	spans, ok := c.g.q.Match(t.all)
	if !ok || !c.g.named() && c.inIndex(e) {
		return
	}
	is := c.o.is()
	if c.kind == index.Subagent {
		is = append(is, query.Subagent)
	}
	if c.g.q.Has(query.Is, is...) {
		c.g.add(&c.o, Hit{Path: c.path, Offset: offset, Role: t.role, Time: when}, t.all, spans)
	}
}

// texts has the texts of a record.
type texts struct {
	all     []byte
	role    string // "" if all texts of the record are in the index
	tool    bool   // the record has a call or a result
	allowed bool   // the fields tool: and file: allow the call
}

// roles returns the values of the field role: that match the texts.
func (t *texts) roles() []string {
	if t.tool {
		return []string{t.role, "tool"}
	}
	return []string{t.role}
}

func (c *callReader) texts(e *transcript.Envelope) (t texts) {
	for _, b := range transcript.Blocks(e.Line) {
		text := append([]byte(b.Text), '\n')
		switch b.Kind {
		case transcript.BlockThinking:
			t.role = "thought"
		case transcript.BlockToolUse:
			call := b.Call(nil)
			t.role, t.tool, text = call.Verb(), true, append(text, inputOf(&call)...)
			if c.g.named() && c.allows(&call) {
				t.allowed, c.calls[b.ID] = true, true
			}
		case transcript.BlockToolResult:
			t.role, t.tool, t.allowed = "result", true, t.allowed || c.calls[b.CallID]
		case transcript.BlockText, transcript.BlockNotice:
			if len(e.Text) == 0 { // a system record or an attachment, about a hook, a file, or the output of a command
				t.role = roleOf(index.Notice, c.kind, "")
				text = append(append([]byte(b.Name), '\n'), text...)
			}
		case transcript.BlockImage, transcript.BlockDocument, transcript.BlockUnknown:
		}
		t.all = append(t.all, text...)
	}
	return t
}

// inIndex reports whether the indexed texts of a record match by themselves, so that the search in the index has
// found it.
func (c *callReader) inIndex(e *transcript.Envelope) bool {
	if len(e.Text) == 0 {
		return false
	}
	var text []byte
	for _, span := range e.Text {
		text = append(jsonlex.AppendUnquote(text, e.Line[span.Start:span.End]), '\n')
	}
	_, ok := c.g.q.Match(text)
	return ok
}

// mayBeAllowed reports whether a record may have a call that tool: and file: allow, or its result.
func (c *callReader) mayBeAllowed(e *transcript.Envelope) bool {
	for _, t := range e.Tools {
		if !t.Result || c.calls[string(t.ID)] {
			return true
		}
	}
	return false
}

// allows reports whether the fields tool: and file: allow a call.
func (c *callReader) allows(call *transcript.Call) bool {
	file, _ := call.File()
	return c.g.q.Has(query.Tool, call.Name, call.Verb()) && c.g.q.Has(query.File, file)
}

// inputOf returns the parameters of a call as text.
func inputOf(call *transcript.Call) []byte {
	var text []byte
	for i := range call.Params {
		text = append(append(text, call.Params[i].Text()...), '\n')
	}
	return text
}
