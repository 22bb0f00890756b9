package sessions

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// State says what can be read of a session. The badge of a row follows from state and flags.
type State string

// The states of a session.
const (
	StateOK         State = "ok"
	StateEmpty      State = "empty"      // no non-blank byte
	StateStub       State = "stub"       // no user or assistant record
	StateDamaged    State = "damaged"    // a line before the last that is no JSON object, or a missing parent
	StateUnreadable State = "unreadable" // could not be opened or is no regular file
)

// Flag is a fact that goes beside the state.
type Flag string

// The flags of a session, in the order in which they are listed.
const (
	FlagLive         Flag = "live"          // a running client has it open
	FlagTornTail     Flag = "torn-tail"     // the last line is not whole
	FlagHiddenBranch Flag = "hidden-branch" // messages that the client hides on resume
	FlagPurgeSoon    Flag = "purge-soon"    // the client's sweep takes it within 10 days
	FlagBackupOnly   Flag = "backup-only"   // only a copy is left
	FlagNoBackup     Flag = "no-backup"     // it ended without a backup where backups are made (spec 000)
	FlagSDK          Flag = "sdk"           // made by claude -p or the SDK: entrypoint sdk-*
	FlagDuplicateID  Flag = "duplicate-id"  // the id is in more than one project
	FlagNotResumable Flag = "not-resumable" // its file name is no UUID
)

// Session is one conversation, keyed by the file it was found in. Quick figures come from the head and
// tail of the file; Exact says that the whole file was scanned, and only then are the counts meaningful.
type Session struct {
	Path string // of the transcript; the key
	ID   string // file name without .jsonl: what `claude --resume` takes
	Dir  string // the Claude config dir it was found under

	Project string // root of the repository or folder that it belongs to; "" unknown
	Workdir string // where the client was started: from the records; "" unknown
	Name    string // custom title > generated title > own summary > first prompt or its plan > first answer; one clean line
	Prompt  string // the first human prompt; one clean line, at most 500 runes
	Branch  string // the last git branch in the records; "" outside a repository

	Created  time.Time // of the first record with a time
	Modified time.Time // of the file
	First    time.Time // first real message
	Last     time.Time // last real message; the list is ordered by it
	Written  time.Time // newest time in any record: orders a session without a message

	Messages int
	Tokens   transcript.Usage
	// ContextTokens is what the context of the main thread holds since its newest answer, ContextBase what it began with:
	// at the start, or after the last compaction. In tokens as the API counted them; 0 is not known (yet). The quick
	// figures of a long file have the base only where its context began within their tail.
	ContextTokens, ContextBase int64
	ContextBegan               time.Time // of the answer that ContextBase is of; zero unknown
	Models                     []string
	Bytes                      int64
	Version                    string // of the client that wrote the last record

	State  State
	Flags  []Flag
	Reason string    // why the state is not ok; one sentence
	Agents []string  // transcripts of its sub-agents
	Live   *Live     // the running client, nil when there is none
	Purge  time.Time // when the client's sweep takes the file at the earliest; zero unless FlagPurgeSoon is set
	Exact  bool      // the whole file was scanned
}

// Counted reports whether Messages and Tokens are known: the whole file was scanned, and could be.
func (s *Session) Counted() bool { return s.Exact && s.State != StateUnreadable }

// ContextUsed is what the context has taken up since it began, in tokens. It is not known without both ends.
func (s *Session) ContextUsed() (tokens int64, known bool) {
	if s.ContextTokens == 0 || s.ContextBase == 0 {
		return 0, false
	}
	return max(s.ContextTokens-s.ContextBase, 0), true
}

// runQuiet is how long a run of claude -p may be silent, at a tool or an answer, before it counts as ended.
const runQuiet = 10 * time.Minute

// MayRun reports whether a client has it open, as far as can be told. claude -p is in no registry (client 2.1.330), so
// what it wrote to a moment ago may still run.
func (s *Session) MayRun(now time.Time) bool {
	return s.Live != nil || s.Has(FlagSDK) && now.Sub(s.Modified) < runQuiet
}

// SetFlag sets or clears a flag. The flags of before stay as they are for others who have them.
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
