package stats

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Counter counts transcripts. It counts a record, message, call or answer only once, even if several transcripts have
// it.
type Counter struct {
	from, to int64 // Unix milliseconds: count records in [from, to); both 0: all records
	seen     map[string]bool
	path     string // path of the counted transcript; "" if unknown
}

// NewCounter returns a Counter for the records between two times; for all records if both are zero.
func NewCounter(from, to time.Time) *Counter {
	c := &Counter{seen: map[string]bool{}}
	if !to.IsZero() {
		c.from, c.to = from.UnixMilli(), to.UnixMilli()
	}
	return c
}

// Count adds a transcript to a tally. agent is true for a sub-agent. The error is an error of the file or of ctx.
func (c *Counter) Count(ctx context.Context, t *Tally, path string, agent bool) error {
	file, _, err := transcript.OpenFile(path)
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer file.Close()
	c.path = path
	return c.CountFrom(ctx, t, file, agent)
}

// CountFrom is Count for an open transcript.
func (c *Counter) CountFrom(ctx context.Context, t *Tally, src io.ReaderAt, agent bool) error {
	before, answers := len(t.times), map[answerKey]bool{} // answers that start in this file
	text, err := transcript.NewEach(ctx, src, func(_ *transcript.Record, e *transcript.Envelope) {
		if c.within(e.UnixMilli()) {
			c.record(t, e, agent, answers)
		}
	})
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	o, own := text.Outline(), map[string]bool{} // own: messages that are new in this file
	for i := range o.Messages {
		if err := ctx.Err(); err != nil {
			return err
		}
		ref := &o.Messages[i]
		if !c.within(ref.Time) {
			continue
		}
		inAgent := agent || o.Threads[ref.Thread].Kind == transcript.Sidechain
		id := ref.Kind.String() + " " + o.Name(ref.ID)
		first := own[id] || c.first("m", id)
		own[id] = first
		if first && ref.Kind == transcript.Boundary && !inAgent {
			t.sums.Compactions++
			if ref.Time != 0 {
				t.sums.Compacted = append(t.sums.Compacted, transcript.At(ref.Time))
			}
		}
		if first && ref.Turn && !inAgent {
			t.sums.Messages++
			if ref.Kind == transcript.Prompt {
				t.sums.Prompts++
			}
		}
		if ref.Calls > 0 {
			m := text.Message(i)
			c.calls(t, &m, inAgent)
		}
	}
	if agent && len(t.times) > before {
		t.sums.Agents++
	}
	return nil
}

// within reports whether a record with a time is counted.
func (c *Counter) within(ms int64) bool { return c.to == 0 || ms >= c.from && ms < c.to && ms != 0 }

// first reports whether an ID of a kind is new, and marks it.
func (c *Counter) first(kind, id string) bool {
	if id == "" {
		return true
	}
	key := kind + id
	was := c.seen[key]
	c.seen[key] = true
	return !was
}

// record adds the time, tokens, error or pull request of a record.
func (c *Counter) record(t *Tally, e *transcript.Envelope, agent bool, own map[answerKey]bool) {
	kind := string(e.Type)
	if kind == "pr-link" {
		t.pullRequest(e)
		return
	}
	if kind == "assistant" && e.HasUsage && !e.APIError && string(e.Model) != "<synthetic>" {
		c.tokens(t, e, agent || e.Sidechain, own)
	}
	if !c.first("r", string(e.UUID)) {
		return
	}
	if at := e.UnixMilli(); at != 0 && (kind == "user" || kind == "assistant" || kind == "system" || kind == "attachment") {
		t.times = append(t.times, at)
	}
	if e.APIError && kind == "assistant" {
		t.sums.Errors++
	}
}

// tokens adds the usage of an answer. The last record of the answer counts.
func (c *Counter) tokens(t *Tally, e *transcript.Envelope, agent bool, own map[answerKey]bool) {
	key := answerKey{message: string(e.MessageID), request: string(e.RequestID)}
	if key.message == "" {
		key.record = string(e.UUID)
	}
	if !own[key] {
		if !c.first("a", key.message+" "+key.request+" "+key.record) {
			return
		}
		own[key] = true
	}
	put(&t.answers, key, answer{transcript.CleanLine(string(e.Model)), agent, e.Usage})
	if u := e.Usage; !agent && e.UnixMilli() != 0 {
		put(&t.context, key, Context{transcript.At(e.UnixMilli()), u.Input + u.CacheRead + u.CacheWrite + u.Output})
	}
}

// pullRequest adds the link to a pull request (clients 2.1.29 to 2.1.330).
func (t *Tally) pullRequest(e *transcript.Envelope) {
	var link struct {
		Number     int64  `json:"prNumber"`
		URL        string `json:"prUrl"`
		Repository string `json:"prRepository"`
	}
	if json.Unmarshal(e.Line, &link) != nil || link.URL == "" {
		return
	}
	r := PullRequest{link.Number, transcript.CleanLine(link.Repository), transcript.CleanLine(link.URL), transcript.At(e.UnixMilli())}
	if was, ok := t.requests[r.URL]; !ok || r.Linked.Before(was.Linked) {
		put(&t.requests, r.URL, r)
	}
}

// calls adds the tool calls of a message.
func (c *Counter) calls(t *Tally, m *transcript.Message, agent bool) {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != transcript.BlockToolUse || !c.first("c", b.ID) {
			continue
		}
		call := m.Call(i)
		failed, done := 0, call.Outcome() == transcript.OutcomeDone
		if call.Outcome() == transcript.OutcomeFailed {
			failed = 1
			t.failed(&call, m.Time, Place{c.path, b.ID})
		}
		tool := Tool{Calls: 1, Failed: failed}
		if agent {
			tool.InAgents = 1
		}
		t.tool(call.Verb(), tool)
		switch call.Kind {
		case transcript.ToolShell:
			if done || failed > 0 {
				t.sums.Commands, t.sums.CommandsFailed = t.sums.Commands+1, t.sums.CommandsFailed+failed
			}
		case transcript.ToolWrite, transcript.ToolEdit:
			if path, _ := call.File(); done && path != "" {
				diff := call.Diff()
				added, removed, _ := diff.Count()
				t.file(transcript.CleanLine(path), File{Changes: 1, Added: added, Removed: removed, Last: m.Time, At: Place{c.path, b.ID}})
			}
		default:
		}
	}
}

// failed adds a failed call.
func (t *Tally) failed(call *transcript.Call, at time.Time, in Place) {
	const most = 200 // bytes
	what := call.Verb()
	if target := call.Target(); target != nil {
		text := target.Text()
		if text = transcript.CleanLine(strings.ToValidUTF8(text[:min(len(text), most)], "")); text != "" {
			what = text
		}
	}
	exit, _ := call.Exit()
	if d := call.Details(); d.End != nil {
		exit = d.End.Exit
	}
	t.failure(what, Failure{What: what, Exit: exit, N: 1, Last: at, At: in})
}
