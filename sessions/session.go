package sessions

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// State describes how much of a session can be read. The badge of a row is derived from the state and the flags.
type State string

// The states of a session.
const (
	StateOK         State = "ok"
	StateEmpty      State = "empty"      // no bytes except white space
	StateStub       State = "stub"       // no user or assistant record
	StateDamaged    State = "damaged"    // a line before the last isn't a JSON object, or a parent is missing
	StateUnreadable State = "unreadable" // the file can't be opened or isn't a regular file
)

// Flag is a fact about a session in addition to its state.
type Flag string

// The flags of a session, in the order in which they are listed.
const (
	FlagLive         Flag = "live"          // a running client has the session open
	FlagTornTail     Flag = "torn-tail"     // the last line is incomplete
	FlagHiddenBranch Flag = "hidden-branch" // the session has messages that the client hides on resume
	FlagPurgeSoon    Flag = "purge-soon"    // Claude Code's cleanup deletes the transcript within 10 days
	FlagBackupOnly   Flag = "backup-only"   // only a backup is left
	FlagNoBackup     Flag = "no-backup"     // the session ended without a backup; its project has backups (spec 000)
	FlagSDK          Flag = "sdk"           // made by claude -p or the SDK: entrypoint sdk-*
	FlagDuplicateID  Flag = "duplicate-id"  // the ID is in more than one project
	FlagNotResumable Flag = "not-resumable" // the file name isn't a UUID
)

// Session is one conversation. Its key is the path of its file. Quick figures are read from the head and tail of the
// file. The counts are valid only if Exact is true, that is, after a scan of the whole file.
type Session struct {
	Path string // path of the transcript; the key
	ID   string // file name without .jsonl, the argument of `claude --resume`
	Dir  string // the Claude config dir that contains the file

	Project string // root of the repository or folder to which it belongs; "" if unknown
	Workdir string // where the client was started, from the records; "" if unknown
	Name    string // custom title, else generated title, summary, plan heading, first prompt, answer; one clean line
	Prompt  string // the first human prompt; one clean line, at most 500 runes
	Branch  string // the last git branch in the records; "" outside a repository

	Created  time.Time // time of the first record with a time
	Modified time.Time // modification time of the file
	First    time.Time // time of the first real message
	Last     time.Time // time of the last real message; the list is sorted by it
	Written  time.Time // newest time in any record; a session without messages is sorted by it

	Messages int
	Known    int // number of messages that the model knows after a resume; see transcript.MessageRef
	Tokens   transcript.Usage
	// ContextTokens is the size of the main thread's context after the newest answer. ContextBase is its size at the
	// start, or after the last compaction. Both are numbers of tokens, as counted by the API, or 0 if unknown. In the
	// quick figures of a long file, ContextBase is known only if the context began within the tail.
	ContextTokens, ContextBase int64
	ContextBegan               time.Time // time of the answer from which ContextBase was read; zero if unknown
	Models                     []string
	Bytes                      int64
	Version                    string // version of the client that wrote the last record

	State  State
	Flags  []Flag
	Reason string    // why the state isn't StateOK; one sentence
	Agents []string  // transcripts of its sub-agents
	Live   *Live     // the running client, nil if there is none
	Purge  time.Time // earliest time at which Claude Code deletes the file; zero unless FlagPurgeSoon is set
	Exact  bool      // the whole file was scanned
	Copied bool      // a backup contains all of the transcript; set by the catalogue, not by the scan

	Picker    string // why the /resume list of Claude Code leaves it out, if not because of a flag; see Row.Unpicked
	Continued string // ID of the session that continues this one; "" if none

	Origin transcript.Origin // where the first messages come from; Origin.Session is "" or looks like a session ID
}

// Counted reports whether Messages and Tokens are known: the whole file was scanned without a read error.
func (s *Session) Counted() bool { return s.Exact && s.State != StateUnreadable }

// ContextUsed returns the number of tokens that were added to the context since it began. known is false if
// ContextTokens or ContextBase is unknown.
func (s *Session) ContextUsed() (tokens int64, known bool) {
	if s.ContextTokens == 0 || s.ContextBase == 0 {
		return 0, false
	}
	return max(s.ContextTokens-s.ContextBase, 0), true
}

// runQuiet is the time after which a run of `claude -p` that writes nothing counts as ended. Until then, it may be
// waiting for a tool call or a long answer.
const runQuiet = 10 * time.Minute

// MayRun reports whether a client may have the session open. The registry doesn't contain runs of `claude -p` (client
// 2.1.330), so MayRun returns true for such a session if its file was modified recently.
func (s *Session) MayRun(now time.Time) bool {
	return s.Live != nil || s.Has(FlagSDK) && now.Sub(s.Modified) < runQuiet
}

// SetFlag sets or clears a flag. It copies the flags, because others may share them.
func (s *Session) SetFlag(f Flag, on bool) {
	if s.Has(f) == on {
		return
	}
	flags := slices.DeleteFunc(slices.Clone(s.Flags), func(g Flag) bool { return g == f })
	if on {
		flags = append(flags, f)
	}
	sortFlags(flags)
	s.Flags = flags
}

// Has reports whether the flag is set.
func (s *Session) Has(f Flag) bool {
	for _, g := range s.Flags {
		if g == f {
			return true
		}
	}
	return false
}
