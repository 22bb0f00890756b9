package survey

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/mask"
)

// saidMost is the limit of a session's listed decisions. Older ones are dropped.
const saidMost = 1000

// Said has the decisions in the text of a session.
type Said struct {
	Row  sessions.Row     // with the context size of the whole file
	List []gate.Statement // oldest first, masked
	Left int              // number of older decisions that aren't in List
}

// SaidIn returns the context size of a session. With texts, it also returns the decisions in the main thread after
// the time after; zero means all. Older messages aren't decoded. The error is a read error, or ctx.Err().
func SaidIn(ctx context.Context, row *sessions.Row, texts bool, after time.Time) (*Said, error) {
	t, err := transcript.Open(ctx, row.Path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // an error of Close doesn't matter after reading
	s := &Said{Row: *row}
	o := t.Outline()
	s.Row.ContextTokens, s.Row.ContextBase, s.Row.ContextBegan = o.Facts.Context, o.Facts.Base, transcript.At(o.Facts.Began)
	if !texts {
		return s, ctx.Err()
	}
	for n, i := range o.Threads[0].Messages {
		if n%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ref := &o.Messages[i]
		if ref.Kind != transcript.Prompt && ref.Kind != transcript.Answer || ref.Time > 0 && !after.IsZero() && ref.Time <= after.UnixMilli() {
			continue
		}
		m := t.Message(i)
		s.take(&m)
	}
	return s, nil
}

// take adds the decisions of a message.
func (s *Said) take(m *transcript.Message) {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != transcript.BlockText || strings.HasPrefix(b.Text, "<") { // text from the client
			continue
		}
		for _, decision := range gate.Statements(b.Text) {
			decision.At = m.Time
			for _, text := range []*string{&decision.Title, &decision.Text, &decision.Rationale} {
				*text = mask.Secrets(transcript.CleanLine(*text))
			}
			s.List = append(s.List, decision)
		}
		if over := len(s.List) - saidMost; over > 0 {
			s.List = slices.Clone(s.List[over:])
			s.Left += over
		}
	}
}

// LeftOut returns a sentence about unchecked older decisions, without a full stop, or "".
func (s *Said) LeftOut() string {
	if s.Left == 0 {
		return ""
	}
	return words.Counted(s.Left, "older decision of the session is", "older decisions of the session are") + " not checked, only the newest " + words.Count(saidMost)
}

// beadsNote returns why the beads' database wasn't asked, or "".
func (l *Ledger) beadsNote() string {
	if l.Beads == nil {
		return ""
	}
	return l.Beads.Note
}

// Held returns the ledger parts to compare a session with, and the errors of reading them, one sentence each.
func (l *Ledger) Held(bead string) (held gate.Ledger, troubles []string) {
	held = gate.Ledger{Notes: l.Notes, Beads: l.Beads, Bead: bead}
	for _, s := range []string{l.Trouble, l.BeadsBad, l.beadsNote()} {
		if s != "" {
			troubles = append(troubles, s)
		}
	}
	return held, troubles
}
