package api

import (
	"encoding/json"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// TempID returns the temporary ID of a new session, for the time before the client's first record.
func TempID(id string) string { return "pending_" + id }

// AttentionOf converts an Attention of a Keeper.
func AttentionOf(a *keeper.Attention) Attention {
	return Attention{
		ID: a.ID, SessionID: a.Session, Type: string(a.Kind), ToolName: a.Tool, ToolInput: a.Input, ToolUseID: a.ToolUse,
		Title: a.Title, Description: a.Description, Path: a.Path, Suggestions: a.Suggestions, Message: a.Message, Timestamp: a.At.UTC(),
	}
}

// EventOf converts an event of a Keeper. ok is false for an event that the interface leaves out, such as a tool
// result. EventOf calls session for an event that contains the session.
func EventOf(e *keeper.Event, session func() Session) (event Event, ok bool) {
	event = Event{ID: e.ID, Type: string(e.Kind)}
	switch e.Kind {
	case keeper.EventCreated:
		return Event{}, false // EventActive follows
	case keeper.EventActive:
		s := session()
		event.Type, event.Session, event.TempID = TypeCreated, &s, TempID(e.Session)
	case keeper.EventUpdated:
		s := session()
		event.Session = &s
	case keeper.EventMessage:
		messages := MessagesOf([]json.RawMessage{e.Record})
		if len(messages) == 0 {
			return Event{}, false
		}
		event.SessionID, event.Message = e.Session, &messages[0]
	case keeper.EventPartial:
		event.SessionID, event.Text = e.Session, e.Text
	case keeper.EventEnded:
		event.SessionID, event.Reason, event.Error = e.Session, ReasonCompleted, e.Text
		if e.Text != "" {
			event.Reason = ReasonFailed
		} else if e.Cut {
			event.Reason = ReasonInterrupted
		}
	case keeper.EventRequested:
		a := AttentionOf(e.Attention)
		event.Attention = &a
	case keeper.EventResolved:
		event.AttentionID, event.Resolution = e.Attention.ID, string(e.Attention.Resolution)
	}
	return event, true
}
