package transcript

import "time"

// ID is an interned identifier (uuid, message ID, tool ID) of an Outline; 0 means none. Outline.Name returns its
// text.
type ID uint32

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. Records outside the conversation are KindOther; Outline.TypeName returns their type.
const (
	KindOther      Kind = iota
	KindPrompt          // a user record of the user, including slash and shell commands
	KindNotice          // a user record of the client: command output, task notification, interruption, meta text
	KindToolResult      // a user record with only tool results
	KindAssistant       // one content block of an assistant message
	KindSummary         // the user record with the summary after a compaction
	KindBoundary        // system/compact_boundary
	KindSystem          // any other system record
	KindEvent           // another record that is shown: queued notification, failed hook, attached file
	KindAttachment      // any other attachment; it can be the parent of a message
)

// Flags are the properties of a record that determine threads and counts.
type Flags uint16

// The record flags.
const (
	FlagSidechain Flags = 1 << iota // isSidechain: the record belongs to a sub-agent
	FlagElided                      // the record is longer than maxLine, and its long strings were cut
	FlagDuplicate                   // an earlier record has the same UUID and content; this one is only counted
	FlagDangling                    // the parent of the record isn't in this file
	FlagFeedback                    // the record has text that the user typed during a call, or to reject one
	FlagQuiet                       // text of the client for the model only; see MessageRef.Quiet
	FlagAPIError                    // system/api_error: a request failed, and the client repeated it
	FlagCommand                     // a slash command of the client, or a shell command ("! ls")
	FlagOutput                      // output of such a command
	FlagUnsent                      // an API error that the client wrote for the assistant, which isn't sent to the model
	FlagEdits                       // has a call of a tool that writes a file
)

// Record describes a record in the Outline: its position in the file and its links. It takes 64 bytes of memory,
// however long the record is.
type Record struct {
	Offset  int64 // offset of its first byte in the file
	Length  int64 // number of bytes without the newline
	Time    int64 // Unix milliseconds; 0 if unknown
	UUID    ID
	Parent  ID     // parentUuid
	Logical ID     // logicalParentUuid, at the boundary of a compaction
	Message ID     // message.id, shared by the blocks of one assistant message
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

// Fresh returns the tokens that were newly processed: input, output and cache writes. Cache reads would be most of
// the sum in a long conversation, because every request reads the whole conversation from the cache.
func (u Usage) Fresh() int64 { return u.Input + u.Output + u.CacheWrite }

// asked returns the tokens of the request, which is the whole context, whether from the cache or not.
func (u Usage) asked() int64 { return u.Input + u.CacheRead + u.CacheWrite }

// Counts has the numbers of records and of other parts in a file.
type Counts struct {
	Types      map[string]int // number of records of each type; "" for objects without a type
	Unparsed   int            // number of parts that aren't JSON
	NotObjects int            // number of JSON values that aren't objects
	Torn       bool           // the last line is incomplete or not a record; a program may still be writing it
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

// At converts Unix milliseconds to a time.Time in UTC, and 0 to the zero time.
func At(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
