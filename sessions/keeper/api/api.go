// Package api has the JSON types of the keeper's HTTP interface (spec 001; docs/keeper.md). It makes them from rows,
// transcripts and values of a Keeper. It does no network I/O.
package api

import (
	"encoding/json"
	"time"
)

// Limits of the interface.
const (
	DefaultLimit = 500  // messages in an answer without limit
	MaxLimit     = 2000 // messages in one answer
	promptRunes  = 200  // of Session.FirstPrompt
)

// State is the state of a session.
type State string

// The values of State. pending, idle, busy and waiting are sessions that this keeper drives. ok, empty, partial and
// error describe a transcript.
const (
	StatePending State = "pending" // a new session without a record
	StateIdle    State = "idle"
	StateBusy    State = "busy"
	StateWaiting State = "waiting" // a question is open
	StateLive    State = "live"    // another client has the session open
	StateOK      State = "ok"
	StateEmpty   State = "empty"   // no messages
	StatePartial State = "partial" // parts of the transcript can't be parsed
	StateError   State = "error"   // the transcript can't be read
)

// Session is a session. Its ID is that of Claude Code.
type Session struct {
	ID           string     `json:"id"`
	Workdir      string     `json:"workdir"`
	FirstPrompt  string     `json:"firstPrompt"` // at most 200 characters
	MessageCount int        `json:"messageCount"`
	Created      *time.Time `json:"created"` // null if unknown, like Modified
	Modified     *time.Time `json:"modified"`
	State        State      `json:"state"`
	Error        string     `json:"error,omitempty"` // for StatePartial and StateError: what is wrong
	Name         string     `json:"name,omitempty"`
	GitBranch    string     `json:"gitBranch,omitempty"`
}

// History is a session with one page of its messages.
type History struct {
	Session
	Messages []Message `json:"messages"` // oldest first
	More     bool      `json:"more"`     // there are older messages
	Last     uint64    `json:"last"`     // ID of the newest event in the history
}

// Message is a prompt or a part of an answer: one record of the transcript. Its ID is the UUID of the record, in the
// history and in the stream. Without a UUID, it is the offset of the record, such as "@1024".
type Message struct {
	ID        string     `json:"id"`
	Role      string     `json:"role"`    // user or assistant
	Content   Content    `json:"content"` // a string or an array of blocks
	Timestamp *time.Time `json:"timestamp"`
}

// Content is the content of a message. Its JSON is a string for a single text, otherwise an array.
type Content []Block

// Block is a part of the content of a message.
type Block struct {
	Type  string          `json:"type"` // text or tool_use
	Text  string          `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"` // this and the following fields are for tool_use
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (c Content) MarshalJSON() ([]byte, error) {
	if len(c) == 1 && c[0].Type == "text" {
		return json.Marshal(c[0].Text)
	}
	return json.Marshal([]Block(c))
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = Content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]Block)(c))
}

// Attention is a question or a notice that a session shows to a person.
type Attention struct {
	ID          string            `json:"id"`
	SessionID   string            `json:"sessionId"`
	Type        string            `json:"type"` // permission, question, plan, completion or error
	ToolName    string            `json:"toolName,omitempty"`
	ToolInput   json.RawMessage   `json:"toolInput,omitempty"`
	ToolUseID   string            `json:"toolUseId,omitempty"`
	Title       string            `json:"title,omitempty"`       // display name of the tool
	Description string            `json:"description,omitempty"` // what Claude says about the call
	Path        string            `json:"path,omitempty"`        // file or folder that the question is about
	Suggestions []json.RawMessage `json:"suggestions,omitempty"` // permission rules that would allow similar calls later
	Message     string            `json:"message,omitempty"`     // for error: the error
	Timestamp   time.Time         `json:"timestamp"`
}

// The types of events. TypeHello is the first frame of a connection.
const (
	TypeHello     = "hello"
	TypeCreated   = "session:created"
	TypeUpdated   = "session:updated"
	TypeMessage   = "session:message"
	TypePartial   = "session:partial"
	TypeEnded     = "session:ended"
	TypeRequested = "attention:requested"
	TypeResolved  = "attention:resolved"
)

// The reasons of TypeEnded.
const (
	ReasonCompleted   = "completed"
	ReasonInterrupted = "interrupted" // a person has ended the session during a turn
	ReasonFailed      = "failed"
)

// Event is a frame of the WebSocket. Each Type has its own fields.
type Event struct {
	ID          uint64     `json:"id"`
	Type        string     `json:"type"`
	Session     *Session   `json:"session,omitempty"`     // created, updated
	TempID      string     `json:"tempId,omitempty"`      // created
	SessionID   string     `json:"sessionId,omitempty"`   // message, partial, ended
	Message     *Message   `json:"message,omitempty"`     // message
	Text        string     `json:"text,omitempty"`        // partial: new text of the unfinished answer
	Reason      string     `json:"reason,omitempty"`      // ended
	Error       string     `json:"error,omitempty"`       // ended: why it has failed
	Attention   *Attention `json:"attention,omitempty"`   // requested
	AttentionID string     `json:"attentionId,omitempty"` // resolved
	Resolution  string     `json:"resolution,omitempty"`  // resolved: allow, allowAlways, deny, cancelled or seen
}

// Hello is the first frame of a WebSocket.
type Hello struct {
	Type string `json:"type"` // TypeHello
	Last uint64 `json:"last"` // ID of the newest event
	Lost bool   `json:"lost"` // some events after the requested one are gone: read the lists again
}

// Failure is the body of a response with an error status.
type Failure struct {
	Error string `json:"error"`           // a sentence
	PID   int    `json:"pid,omitempty"`   // of the client that has the session open
	Since string `json:"since,omitempty"` // time at which that client was started
}

// Create is the body of POST /sessions.
type Create struct {
	Workdir string `json:"workdir"`          // absolute path
	Prompt  string `json:"prompt,omitempty"` // the first prompt
	Name    string `json:"name,omitempty"`
	Fork    string `json:"fork,omitempty"` // ID of a session to fork, in place of Workdir
}

// Created is the answer to POST /sessions.
type Created struct {
	ID     string `json:"id"`
	TempID string `json:"tempId"`
	State  State  `json:"state"`
}

// Send is the body of POST /sessions/ID/send.
type Send struct {
	Message string `json:"message"`
	Fork    bool   `json:"fork,omitempty"` // send the prompt to a fork of the session
}

// Sent is the answer to POST /sessions/ID/send.
type Sent struct {
	Sent bool   `json:"sent"`
	ID   string `json:"id"` // the session, or its fork
}

// Interrupted is the answer to POST /sessions/ID/interrupt.
type Interrupted struct {
	Interrupted bool `json:"interrupted"` // false if no turn was running
}

// Rename is the body of PATCH /sessions/ID.
type Rename struct {
	Name string `json:"name"` // "" removes the name
}

// The behaviors of Resolve.
const (
	BehaviorAllow  = "allow"
	BehaviorAlways = "allowAlways"
	BehaviorDeny   = "deny"
)

// Resolve is the body of POST /attention/ID/resolve.
type Resolve struct {
	Behavior     string          `json:"behavior"`
	Message      string          `json:"message,omitempty"`      // for deny: the reason; Claude reads it
	UpdatedInput json.RawMessage `json:"updatedInput,omitempty"` // for allow: the tool's input with edits or answers; absent keeps the input
	Suggestion   int             `json:"suggestion,omitempty"`   // for allowAlways: index of the suggestion
}

// Resolved is the answer to POST /attention/ID/resolve.
type Resolved struct {
	Resolved bool `json:"resolved"`
}

// Health is the answer to GET /health.
type Health struct {
	Status    string    `json:"status"` // ok
	Timestamp time.Time `json:"timestamp"`
}
