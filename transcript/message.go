package transcript

import (
	"encoding/json"
	"time"
)

// Role is the author of a message.
type Role string

// The roles of a message.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSystem    Role = "system"
)

// MessageKind is how a reader shows a message.
type MessageKind uint8

// The kinds of messages.
const (
	Prompt   MessageKind = iota // prompt of the user; counts as a turn
	Answer                      // text and tool calls of the assistant, with results; counts as a turn
	Notice                      // text not written by the user, such as command output
	Boundary                    // the place where the context was compacted
	Summary                     // summary of a compaction
	System                      // other system records, such as API errors
)

// String returns the name of the kind, as in JSON.
func (k MessageKind) String() string {
	switch k {
	case Prompt:
		return "prompt"
	case Answer:
		return "answer"
	case Notice:
		return "notice"
	case Boundary:
		return "boundary"
	case Summary:
		return "summary"
	case System:
		return "system"
	}
	return "unknown"
}

// ThreadKind is the kind of a thread.
type ThreadKind uint8

// The kinds of threads.
const (
	Main      ThreadKind = iota // the messages that the client shows on resume, and earlier ones
	Branch                      // a branch of the main thread that the client hides
	Sidechain                   // a sub-agent's conversation inside the same file
)

// Thread is an ordered branch of messages. Every message is in exactly one thread.
type Thread struct {
	Kind     ThreadKind
	Name     string // "main", "branch 1", "sidechain 1" or the ID of the sub-agent
	From     int    // index of the message at which the thread split off; -1 if there is none
	Messages []int  // indexes into Outline.Messages, in reading order
}

// MessageRef is a message of the Outline. It refers to records without decoding them.
type MessageRef struct {
	ID      ID // message.id of the first record, or its uuid
	Kind    MessageKind
	Time    int64   // Unix milliseconds: time of the first record with a time; 0 if unknown
	Thread  int     // index into Outline.Threads
	Records []int32 // indexes into Outline.Records: content blocks, then results
	Gap     bool    // the previous record is missing, or the chain had a cycle
	Unread  int     // number of unreadable parts before this message
	Calls   int     // number of tool calls
	Edits   bool    // one of the calls writes a file
	Quiet   bool    // the text is only for the model, such as a reminder
	Known   bool    // after a resume, the model knows the message
	Cleared int     // number of results that the client has cleared
	Command bool    // a slash or shell command of the user, with its output
	Turn    bool    // whether this is a prompt or an answer, but not of a sub-agent in the same file
}

// BlockKind is the kind of a content block.
type BlockKind string

// The kinds of content blocks. Any other type becomes BlockUnknown, with its raw JSON.
const (
	BlockText       BlockKind = "text"
	BlockThinking   BlockKind = "thinking"
	BlockToolUse    BlockKind = "tool_use"
	BlockToolResult BlockKind = "tool_result"
	BlockImage      BlockKind = "image"
	BlockDocument   BlockKind = "document"
	BlockNotice     BlockKind = "notice"
	BlockUnknown    BlockKind = "unknown"
)

// Block is a decoded content block. Its text is untrusted: clean it before a terminal shows it.
type Block struct {
	Kind   BlockKind       `json:"type"`
	Text   string          `json:"text,omitempty"`      // text, thinking, or a tool result as plain text
	ID     string          `json:"id,omitempty"`        // ID of a tool call
	Name   string          `json:"name,omitempty"`      // name of the called tool; for a notice: sender, hook or file
	Input  json.RawMessage `json:"input,omitempty"`     // input of the tool call
	CallID string          `json:"toolUseId,omitempty"` // for a result: ID of the call
	Failed bool            `json:"isError,omitempty"`   // the result is an error, or the hook failed
	Denied DenialKind      `json:"denied,omitempty"`    // for a result: who refused the call; "" if none
	Reason string          `json:"reason,omitempty"`    // for a result: why the call was refused
	Notice NoticeKind      `json:"notice,omitempty"`    // kind of a notice
	Title  string          `json:"title,omitempty"`     // for a notice: its first line; for an API error: its cause
	Media  string          `json:"media,omitempty"`     // media type of an image or document
	Bytes  int64           `json:"bytes,omitempty"`     // number of bytes that Text omits: image data, elided text
	Raw    json.RawMessage `json:"raw,omitempty"`       // a block of unknown type, unchanged
	data   uint64          // digest of an image or document, else 0
	Patch  []Hunk          `json:"patch,omitempty"` // for a result: changes to a file
	Agent  string          `json:"agent,omitempty"` // for a result: ID of the sub-agent that the call started
	Time   time.Time       `json:"-"`               // time of the record; zero if unknown
	Took   time.Duration   `json:"-"`               // for a thought: its duration; 0 if unknown

	Cleared   bool    `json:"-"` // for a result: the client has cleared it; the model doesn't know it
	details   Details // details of a result
	images    []Block // images of a result
	taskTitle string  // title of the task that a call changes; "" if unknown
}

// Hunk is a change of consecutive lines of a file, from toolUseResult.structuredPatch (clients 1.0.57 to 2.1.330).
// Its numbers may not match its lines.
type Hunk struct {
	OldStart int      `json:"oldStart"` // number of the first line before the change, from 1
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"` // number of the first line after the change, from 1
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"` // untrusted; each line starts with a sign: "-", "+", " ", or "\\" for a note
}

// Message is one decoded message.
type Message struct {
	ID     string
	Role   Role
	Kind   MessageKind
	Time   time.Time // zero if none of its records has a time
	Model  string
	Thread string // name of the thread
	Gap    bool
	Unread int  // see MessageRef.Unread
	Known  bool // after a resume, the model knows the message
	Blocks []Block
	// Compaction is set for a Boundary if its record has figures.
	Compaction *Compaction
	Err        string // why a record could not be decoded; "" if all were
}

// Compaction describes a compaction (compactMetadata, clients 1.0.0 to 2.1.330).
type Compaction struct {
	Auto          bool  // started by the client, not by /compact
	Before, After int64 // tokens of the context; 0 if unknown
}
