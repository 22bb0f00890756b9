package family

import (
	"bytes"
	"context"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Doc is an open transcript.
type Doc interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	Close() error
}

// Sifter is an open conversation. Sift returns the messages in [from, to) with a record that contains accepts. It
// doesn't decode them.
type Sifter interface {
	Sift(ctx context.Context, from, to int, contains func(line []byte) bool) ([]int, error)
}

// Reader reads the steps of sessions.
type Reader struct {
	Open func(ctx context.Context, row sessions.Row) (Doc, error)
	Line func(m *transcript.Message) string // returns the first line of a message for display
}

// Steps reads the steps of a session, without unreadable messages and sub-agents.
func (r Reader) Steps(ctx context.Context, row sessions.Row) []Step {
	doc, err := r.Open(ctx, row)
	if err != nil {
		return nil
	}
	defer doc.Close() //nolint:errcheck // only read
	t := Talk{Messages: doc.Outline(), Threads: doc.Threads(), Decoded: map[int]transcript.Message{}, Line: r.Line}
	list := t.Wanted()
	if s, ok := doc.(Sifter); ok && len(row.Agents) > 0 {
		hasAgent := func(line []byte) bool { return bytes.Contains(line, []byte(`"agentId"`)) }
		more, _ := s.Sift(ctx, 0, len(t.Messages), hasAgent) // after an error, the types of the sub-agents are unknown
		list = append(list, more...)
	}
	for _, i := range list {
		if msgs, err := doc.Messages(ctx, i, i+1); err == nil && len(msgs) == 1 {
			t.Decoded[i] = msgs[0]
		}
	}
	for _, path := range row.Agents {
		t.Agents = append(t.Agents, r.agent(ctx, path))
	}
	return t.Steps(&row)
}

// agent reads the facts about a sub-agent.
func (r Reader) agent(ctx context.Context, path string) AgentTalk {
	a := AgentTalk{Path: path}
	var row sessions.Row
	row.Kind, row.Path, row.State = sessions.KindSession, path, sessions.StateOK
	doc, err := r.Open(ctx, row)
	if err != nil {
		return a
	}
	defer doc.Close() //nolint:errcheck // only read
	refs := doc.Outline()
	for i := range refs {
		if a.Began.IsZero() {
			a.Began = transcript.At(refs[i].Time)
		}
		if refs[i].Turn {
			a.Messages++
		}
	}
	if len(refs) > 0 {
		if first, err := doc.Messages(ctx, 0, 1); err == nil && len(first) == 1 {
			a.Task = r.Line(&first[0])
		}
	}
	return a
}
