package transcript

import "time"

// ID is an interned identifier (uuid, message ID, tool ID) of an Outline; 0 means none. Outline.Name returns its
// text.
type ID uint32

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. KindOther isn't part of the conversation.
const (
	KindOther      Kind = iota
	KindPrompt          // a record of the user, including commands
	KindNotice          // a user record of the client, such as command output
	KindToolResult      // a user record with only tool results
	KindAssistant       // one content block of an assistant message
	KindSummary         // the user record with the summary after a compaction
	KindBoundary        // system/compact_boundary
	KindSystem          // any other system record
	KindEvent           // another shown record, such as a failed hook
	KindAttachment      // any other attachment, possibly a parent
)

// Flags are properties of a record.
type Flags uint16

// The record flags.
const (
	FlagSidechain Flags = 1 << iota // isSidechain: the record belongs to a sub-agent
	FlagElided                      // the record is longer than maxLine and was cut
	FlagDuplicate                   // an earlier record has the same UUID and content
	FlagDangling                    // the parent isn't in this file
	FlagFeedback                    // has text that the user typed during a call, or to reject one
	FlagQuiet                       // text of the client for the model only; see MessageRef.Quiet
	FlagAPIError                    // system/api_error: a failed and repeated request
	FlagCommand                     // a slash or shell command
	FlagOutput                      // output of such a command
	FlagUnsent                      // an API error that isn't sent to the model
	FlagEdits                       // has a call that writes a file
)

// Record describes a record in the Outline in 64 bytes: its position in the file and its links.
type Record struct {
	Offset  int64 // offset of its first byte in the file
	Length  int64 // number of bytes without the newline
	Time    int64 // Unix milliseconds; 0 if unknown
	UUID    ID
	Parent  ID     // parentUuid
	Logical ID     // logicalParentUuid, at the boundary of a compaction
	Message ID     // message.id, shared by the blocks of one answer
	Agent   ID     // agentId, in sidechains
	Said    uint64 // hash of the texts and tool IDs; 0 if there are none
	Type    uint16
	Kind    Kind
	Flags   Flags
}

// Has reports whether all of the given flags are set.
func (r *Record) Has(f Flags) bool { return r.Flags&f == f }

// Usage is the number of tokens that the API reported for one answer.
type Usage struct {
	Input      int64
	Output     int64
	CacheRead  int64
	CacheWrite int64
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// Fresh returns the newly processed tokens: input, output and cache writes. In a long conversation, cache reads would
// be most of the sum.
func (u Usage) Fresh() int64 { return u.Input + u.Output + u.CacheWrite }

// asked returns the tokens of the request, which is the whole context.
func (u Usage) asked() int64 { return u.Input + u.CacheRead + u.CacheWrite }

// Counts has the numbers of records and other parts in a file.
type Counts struct {
	Types      map[string]int // number of records of each type; "" for objects without a type
	Unparsed   int            // number of parts that aren't JSON
	NotObjects int            // number of JSON values that aren't objects
	Torn       bool           // the last line isn't a record, perhaps still being written
	Bad        int            // Unparsed + NotObjects, without the last line
}

// Records returns the number of JSON objects.
func (c Counts) Records() int {
	n := 0
	for _, k := range c.Types {
		n += k
	}
	return n
}

// At converts Unix milliseconds to UTC, and 0 to the zero time.
func At(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
