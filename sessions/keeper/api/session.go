package api

import (
	"bytes"
	"context"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
)

// SessionOf converts a session. row is nil without a transcript, and state is nil without a Keeper. At least one of
// them must be set.
func SessionOf(row *sessions.Row, state *keeper.Session) Session {
	if row == nil {
		s := unwritten(state)
		s.State, s.Error = drivenState(state)
		return s
	}
	s := Session{
		ID: row.ID, Workdir: row.Workdir, FirstPrompt: shortened(row.Prompt), MessageCount: row.Messages,
		Created: timeOf(row.Created), Modified: timeOf(row.Modified), GitBranch: row.Branch,
	}
	s.State, s.Error = fileState(row)
	if state != nil && state.Status != keeper.StatusEnded {
		if row.Messages == 0 { // the client has just created the file
			s = unwritten(state)
		}
		s.State, s.Error = drivenState(state)
	}
	if row.Renamed {
		s.Name = row.Name
	}
	return s
}

// unwritten converts a session whose transcript has no messages yet. It uses the records of the Keeper.
func unwritten(state *keeper.Session) Session {
	var text []byte
	for _, r := range state.Records {
		text = append(append(text, r...), '\n')
	}
	s := Session{ID: state.ID, Workdir: state.Dir, Created: timeOf(state.Started), Modified: timeOf(state.Since)}
	if t, err := transcript.New(context.Background(), bytes.NewReader(text)); err == nil { // reading from memory doesn't fail
		s.FirstPrompt, s.MessageCount = shortened(sessions.Plain(t.Outline().Facts.Prompt)), t.Outline().Turns
	}
	return s
}

func fileState(row *sessions.Row) (State, string) {
	switch {
	case row.Live != nil:
		return StateLive, ""
	case row.State == sessions.StateUnreadable:
		return StateError, row.Reason
	case row.State == sessions.StateDamaged:
		return StatePartial, row.Reason
	case row.State == sessions.StateEmpty, row.State == sessions.StateStub:
		return StateEmpty, ""
	}
	return StateOK, ""
}

func drivenState(state *keeper.Session) (State, string) {
	switch {
	case state.Status == keeper.StatusEnded:
		return StateError, state.Err
	case !state.Active:
		return StatePending, ""
	case state.Status == keeper.StatusWaiting:
		return StateWaiting, ""
	case state.Status == keeper.StatusBusy:
		return StateBusy, ""
	}
	return StateIdle, ""
}

func shortened(text string) string {
	n := 0
	for i := range text {
		if n == promptRunes {
			return text[:i]
		}
		n++
	}
	return text
}

// timeOf returns t in UTC, or nil if t is unknown or its year isn't in 0–9999 (RFC 3339).
func timeOf(t time.Time) *time.Time {
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}
