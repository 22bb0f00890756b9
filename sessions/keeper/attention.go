package keeper

import (
	"encoding/json"
	"slices"
	"time"
)

// AttentionKind is the kind of an Attention.
type AttentionKind string

// The values of AttentionKind. The client waits for an answer to a permission, a question or a plan.
const (
	AttentionPermission AttentionKind = "permission" // may a tool run?
	AttentionQuestion   AttentionKind = "question"   // the tool AskUserQuestion
	AttentionPlan       AttentionKind = "plan"       // the tool ExitPlanMode: may Claude carry out its plan?
	AttentionCompletion AttentionKind = "completion" // a turn has ended
	AttentionError      AttentionKind = "error"      // a turn has failed, or the client has ended unexpectedly
)

// Attention is a question or a notice of a session for a person. Its texts are unfiltered: clean them for a terminal.
type Attention struct {
	ID          string
	Session     string
	Kind        AttentionKind
	At          time.Time
	Tool        string
	Title       string            // display name of the tool
	Description string            // what Claude says about the call
	Input       json.RawMessage   `json:",omitempty"` // input of the tool
	ToolUse     string            // ID of the tool call in the transcript
	Path        string            // file or folder of the question, or ""
	Suggestions []json.RawMessage // permission rules that would allow similar calls, in the client's format
	Message     string            // for AttentionError: the error
	Resolution  Resolution        // for EventResolved
	Reply       string            // for EventResolved: the reason of a denial
}

// Asks reports whether the client waits for an answer.
func (a *Attention) Asks() bool {
	return a.Kind != AttentionCompletion && a.Kind != AttentionError
}

// Resolution is the way in which an Attention was resolved.
type Resolution string

// The resolutions.
const (
	ResolvedAllow     Resolution = "allow"
	ResolvedAlways    Resolution = "allowAlways"
	ResolvedDeny      Resolution = "deny"
	ResolvedCancelled Resolution = "cancelled" // the client has withdrawn the question
	ResolvedSeen      Resolution = "seen"      // for AttentionCompletion and AttentionError
)

// Answer is the answer to a question.
type Answer struct {
	Allow     bool
	Input     json.RawMessage   `json:",omitempty"` // if Allow is set: the tool's input with edits or answers; nil keeps the input
	Always    []json.RawMessage // if Allow is set: the suggestions to accept
	Message   string            // if Allow isn't set: the reason; Claude reads it
	Interrupt bool              // if Allow isn't set: also end the turn
}

// Bypass is the permission mode in which no tool needs a permission. It can't be set over HTTP.
const Bypass = "bypassPermissions"

// Bypasses reports whether a suggestion sets the mode Bypass.
func Bypasses(suggestion json.RawMessage) bool {
	var fields struct{ Mode string }
	return json.Unmarshal(suggestion, &fields) == nil && fields.Mode == Bypass
}

// Answered adds answers to the input of the tool AskUserQuestion. The keys of answers are the questions. Several
// labels are separated by ", ".
func Answered(input json.RawMessage, answers map[string]string) (json.RawMessage, error) {
	return withField(input, "answers", answers)
}

// editable returns the input fields that a person can edit, for Bash, Write, Edit and NotebookEdit.
func editable() []string { return []string{"command", "content", "new_string", "new_source"} }

// Editable returns the first editable text in a tool's input and the name of its field, or "".
func Editable(input json.RawMessage) (field, text string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return "", ""
	}
	for _, field := range editable() {
		if json.Unmarshal(fields[field], &text) == nil {
			return field, text
		}
	}
	return "", ""
}

// Edited returns the input of a tool with field set to text.
func Edited(input json.RawMessage, field, text string) (json.RawMessage, error) {
	return withField(input, field, text)
}

// withField returns the JSON object input with field set to value. The errors are those of encoding/json.
func withField(input json.RawMessage, field string, value any) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(input, &fields)
	if err == nil && fields == nil { // null
		fields = map[string]json.RawMessage{}
	}
	if err == nil {
		fields[field], err = json.Marshal(value)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// Answer answers an open question.
func (k *Keeper) Answer(id, question string, a Answer) error {
	return k.with(id, func(s *session) error {
		i := slices.IndexFunc(s.Open, func(o Attention) bool { return o.ID == question && o.Asks() })
		if i < 0 {
			return ErrUnknown
		}
		s.answer(s.Open[i], a)
		return nil
	})
}

// Seen resolves the completions and errors of a session, after a person has seen them.
func (k *Keeper) Seen(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.sessions[id]; s != nil {
		s.seen()
	}
}

// answer sends an answer to the client.
func (s *session) answer(o Attention, a Answer) {
	reply := permission{Behavior: "deny", Message: a.Message, Interrupt: a.Interrupt}
	how := ResolvedDeny
	if reply.Message == "" {
		reply.Message = "The user denied this."
	}
	if a.Allow {
		how = ResolvedAllow
		reply = permission{Behavior: "allow", UpdatedInput: a.Input, UpdatedPermissions: a.Always}
		if len(a.Input) == 0 {
			reply.UpdatedInput = o.Input
		}
		if len(a.Always) > 0 {
			how = ResolvedAlways
		}
	}
	s.send(controlResponse(o.ID, reply))
	s.resolve(o.ID, how, a.Message)
	s.settle()
}

// resolve removes an Attention, if it is open.
func (s *session) resolve(id string, how Resolution, reply string) {
	i := slices.IndexFunc(s.Open, func(o Attention) bool { return o.ID == id })
	if i < 0 {
		return
	}
	o := s.Open[i]
	s.Open = slices.Delete(slices.Clone(s.Open), i, i+1)
	if t := s.limits[id]; t != nil {
		t.Stop()
		delete(s.limits, id)
	}
	o.Resolution, o.Reply = how, reply
	s.event(Event{Kind: EventResolved, Attention: &o})
}

func (s *session) seen() {
	for _, o := range s.Open {
		if !o.Asks() {
			s.resolve(o.ID, ResolvedSeen, "")
		}
	}
}

func (s *session) attend(o Attention) {
	o.Session, o.At = s.ID, s.keeper.opts.Now()
	s.Open = append(slices.Clip(s.Open), o)
	s.event(Event{Kind: EventRequested, Attention: &o})
	if limit := s.keeper.opts.Limit; limit > 0 && o.Kind == AttentionPermission {
		s.limits[o.ID] = time.AfterFunc(limit, func() {
			_ = s.keeper.Answer(s.ID, o.ID, Answer{Message: "Nobody answered in time."}) // an error means that it was just answered
		})
	}
}
