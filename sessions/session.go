package sessions

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// State is how much of a session can be read. State and flags determine the badge of a row.
type State string

// The states of a session.
const (
	StateOK         State = "ok"
	StateEmpty      State = "empty"      // no bytes except white space
	StateStub       State = "stub"       // no user or assistant record
	StateDamaged    State = "damaged"    // an earlier line isn't a JSON object, or a message has no parent
	StateUnreadable State = "unreadable" // the file can't be opened or isn't a regular file
)

// Flag is a fact about a session besides its state.
type Flag string

// The flags of a session, in the order of lists.
const (
	FlagLive         Flag = "live"          // a running client has the session open
	FlagTornTail     Flag = "torn-tail"     // the last line is incomplete
	FlagHiddenBranch Flag = "hidden-branch" // the session has messages that Claude Code hides on resume
	FlagPurgeSoon    Flag = "purge-soon"    // Claude Code will delete the transcript within 10 days
	FlagBackupOnly   Flag = "backup-only"   // only a backup is left
	FlagNoBackup     Flag = "no-backup"     // the session ended without a backup, but its project has backups (spec 000)
	FlagSDK          Flag = "sdk"           // made by claude -p or the SDK: entrypoint sdk-*
	FlagDuplicateID  Flag = "duplicate-id"  // transcripts in several projects have this ID
	FlagNotResumable Flag = "not-resumable" // the file name isn't a UUID
)

// Session is one conversation. Its key is the path of its file. Quick figures come from head and tail of the file.
// Counts need a scan of the whole file, and are valid if Exact is true.
type Session struct {
	Path string // path of the transcript, or of the transcript of a sub-agent
	ID   string // file name without .jsonl, the argument of `claude --resume`
	Dir  string // the Claude config dir that contains the file

	Project string // root of the repository, otherwise the folder; "" if unknown
	Workdir string // folder in which the client was started, from the records; "" if unknown
	Name    string // one clean line: custom title, generated title, summary, plan heading, first prompt or answer, in this order
	Prompt  string // first prompt of the user; one clean line, at most 500 runes
	Branch  string // last git branch in the records; "" outside of a repository

	Created  time.Time // earliest time in the records
	Modified time.Time // modification time of the file
	First    time.Time // time of the first real message
	Last     time.Time // time of the last real message; lists are sorted by it
	Written  time.Time // newest time in the records; sessions without messages are sorted by it

	Messages int
	Known    int // number of messages for the model after a resume; see transcript.MessageRef
	Tokens   transcript.Usage
	// ContextTokens is the size of the context after the newest answer. ContextBase is its size at the start or after
	// the last compaction. Both count the API's tokens in the main thread; 0 means unknown. The quick pass may not
	// find ContextBase in a long file.
	ContextTokens, ContextBase int64
	ContextBegan               time.Time // time of the answer that ContextBase is from; zero if unknown
	Models                     []string
	Bytes                      int64
	Version                    string // version of the client that wrote the last record

	State  State
	Flags  []Flag
	Reason string    // why the state isn't StateOK; one sentence
	Agents []string  // paths of the transcripts of its sub-agents
	Live   *Live     // the running client; nil if there is none
	Purge  time.Time // earliest time of Claude Code's deletion, with FlagPurgeSoon
	Exact  bool      // the figures are exact: the whole file was scanned
	Copied bool      // a backup contains the whole transcript; set by the catalogue

	Picker    string // why the /resume list leaves out the session, besides flags; see Row.Unpicked
	Continued string // ID of the session that continues this one; "" if none

	Origin transcript.Origin // source of the first messages; Origin.Session is "" or has the form of a session ID
}

// Counted reports whether Messages and Tokens are known.
func (s *Session) Counted() bool { return s.Exact && s.State != StateUnreadable }

// ContextUsed returns the tokens that were added after ContextBase. known is false if ContextTokens or ContextBase is
// unknown.
func (s *Session) ContextUsed() (tokens int64, known bool) {
	if s.ContextTokens == 0 || s.ContextBase == 0 {
		return 0, false
	}
	return max(s.ContextTokens-s.ContextBase, 0), true
}

// runQuiet is the silence after which a `claude -p` counts as ended. A shorter one may be a tool call or a long
// answer.
const runQuiet = 10 * time.Minute

// MayRun reports whether a client may have the session open. A run of `claude -p` isn't in the registry (client
// 2.1.330), so a recently modified file counts.
func (s *Session) MayRun(now time.Time) bool {
	return s.Live != nil || s.Has(FlagSDK) && now.Sub(s.Modified) < runQuiet
}

// SetFlag sets or clears a flag in a copy of Flags, which rows may share.
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
