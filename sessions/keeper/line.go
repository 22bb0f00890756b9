package keeper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// line handles one line of the client. It ignores invalid lines and unknown types.
func (s *session) line(text []byte) {
	var l incoming
	if json.Unmarshal(text, &l) != nil {
		return
	}
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	switch l.Type {
	case "system", "assistant", "user":
		s.begin()
	}
	switch l.Type {
	case "system":
		s.system(&l)
	case "stream_event":
		if l.Parent == nil {
			s.streamed(&l)
		}
	case "assistant", "user":
		if l.Parent == nil { // each sub-agent has its own transcript
			if l.Type == "assistant" {
				s.Partial = ""
			}
			s.settle()
			s.publish(l.UUID, text)
		}
	case "control_request":
		s.asked(&l)
	case "control_cancel_request":
		s.resolve(l.RequestID, ResolvedCancelled, "")
		s.settle()
	case "control_response":
		s.replied(&l)
	case "result":
		s.result(&l)
	}
}

// begin is called for each record. The first record of a new session makes it active.
func (s *session) begin() {
	if !s.Active {
		s.Active = true
		s.event(Event{Kind: EventActive})
	}
}

// system handles a line of the type "system", which may have the mode and the model. The subtype "init" begins a
// turn.
func (s *session) system(l *incoming) {
	mode, model := s.Mode, s.Model
	if l.PermissionMode != "" {
		mode = l.PermissionMode
	}
	if l.Model != "" {
		model = l.Model
	}
	if mode != s.Mode || model != s.Model {
		s.Mode, s.Model = mode, model
		s.event(Event{Kind: EventUpdated})
	}
	if l.Subtype == "init" {
		s.settle()
	}
}

// streamed adds text to the unfinished answer.
func (s *session) streamed(l *incoming) {
	switch d := l.Event.Delta; {
	case l.Event.Type == "message_start":
		s.Partial = ""
	case l.Event.Type == "content_block_delta" && d.Type == "text_delta":
		s.Partial += d.Text
		s.event(Event{Kind: EventPartial, Text: d.Text})
	}
}

// asked handles a request of the client. An unknown request gets an error, because the client waits.
func (s *session) asked(l *incoming) {
	var r toolRequest
	if json.Unmarshal(l.Request, &r) != nil || r.Subtype != "can_use_tool" {
		s.send(controlError(l.RequestID, "continuo doesn't support this request"))
		return
	}
	kind := AttentionPermission
	switch r.ToolName {
	case "AskUserQuestion":
		kind = AttentionQuestion
	case "ExitPlanMode":
		kind = AttentionPlan
	}
	s.attend(Attention{
		ID: l.RequestID, Kind: kind, Tool: r.ToolName, Title: r.DisplayName, Description: r.Description, Input: r.Input,
		ToolUse: r.ToolUseID, Path: r.BlockedPath, Suggestions: r.Suggestions,
	})
	s.settle()
}

// replied hands a response of the client to the waiting method.
func (s *session) replied(l *incoming) {
	var r reply
	if json.Unmarshal(l.Response, &r) != nil {
		return
	}
	if c := s.waiting[r.RequestID]; c != nil {
		delete(s.waiting, r.RequestID)
		c <- r
	}
}

// result ends a turn and sends the next prompt. With an empty queue, an Attention reports the end.
func (s *session) result(l *incoming) {
	s.Partial = ""
	switch {
	case strings.HasPrefix(l.Terminal, "aborted"): // a person interrupted the turn
	case l.IsError:
		s.attend(Attention{ID: newUUID(), Kind: AttentionError, Message: fmt.Sprintf("The turn has failed: %s", l.failure())})
	case len(s.Queued) == 0:
		s.attend(Attention{ID: newUUID(), Kind: AttentionCompletion})
	}
	if len(s.Queued) > 0 && !s.ending {
		next := s.Queued[0]
		s.Queued = slices.Clone(s.Queued[1:])
		s.prompt(next)
		s.event(Event{Kind: EventUpdated})
		return
	}
	s.setStatus(StatusIdle)
}
