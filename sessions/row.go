package sessions

import (
	"iter"
	"strings"
	"time"
)

// Kind is the type of a row of the catalogue.
type Kind string

// The kinds of rows.
const (
	KindSession  Kind = "session"
	KindBackup   Kind = "backup"   // a raw backup, spec 000
	KindDocument Kind = "document" // an archived session document, active-context or project memory, spec 000
)

// Row is one line of the catalogue. Backups and documents set only the fields of Session that they have; the key of a
// row is its Path.
type Row struct {
	Kind Kind
	Session
	Deleted bool // the listed file no longer exists; its facts stay
	// Attention is the used part of the attention budget of a live session; nil unknown. The catalogue doesn't read
	// ledgers: the caller fills it in.
	Attention *Attention

	// The following fields have what a person wrote about a session (sessions/annotate). The transcript doesn't have
	// it. Its Tags are also set.
	Starred, Archived bool
	Note              string // clean; may have several lines
	Renamed           bool   // Name is from the person; Recorded is the one from the transcript
	Recorded          string

	// The following fields are set for backups only (spec 000).
	Pending  bool     // a marker names it: not yet restored or discarded
	Unseen   bool     // not pending, newer than every session document of its memory, and never opened here
	Of       string   // ID of the session that was backed up; "" unknown
	Original string   // path of the transcript with that ID, preferably in its own project; "" for none
	Relation Relation // relation of Original to the backup; "" unknown, or not compared yet
	Fault    string   // a defect of the copy itself, in a few words: "torn last line"; "" for none known
	// Unsearched reports that Original is "" and a project directory that may contain the transcript couldn't be
	// listed.
	Unsearched bool
	// Saved is the session in the copy as a row of its own, with what a person wrote about it; nil until the copy was
	// read. Its Path is that of the transcript before it was deleted, "" if the copy doesn't say in which folder it was.
	Saved *Row

	// The following fields are set for documents only (spec 000), Tags also for sessions. All texts are clean lines.
	Status   string // from its front matter: "in-progress", "completed" or any other text; "" unknown
	Tags     []string
	Called   string   // project named in its front matter; "" for none
	Previous string   // file name of the previous document, from its front matter; "" for none
	Todos    []Todo   // its Remaining Todos, in order
	Next     []string // its Next Steps, in order, without their numbers
	// Malformed reports that a part of its front matter couldn't be parsed; Reason has the details. Status, Tags,
	// Branch and Previous may be incomplete.
	Malformed bool
}

// IsSessionDocument reports whether the row is the document of one session. The active context and the project memory
// aren't: they are rewritten again and again (spec 000).
func (r *Row) IsSessionDocument() bool {
	name := r.Path[strings.LastIndexAny(r.Path, `/\`)+1:]
	return r.Kind == KindDocument && strings.HasPrefix(name, "session-")
}

// Attention is the used part of a project's attention budget, from the context of a session (spec 002; advisory).
type Attention struct {
	Level string // green, yellow, orange or red, as ledger.AttentionLevel
	Used  int64  // tokens, as of Session.ContextUsed
	Fresh int64  // tokens since the last delta-synthesis
	Due   bool   // another delta-synthesis is due
}

// Relation compares a transcript with its backup. Claude Code only appends to transcripts.
type Relation string

// The relations of a transcript to its backup.
const (
	RelationSame      Relation = "same"      // identical to the copy
	RelationGrown     Relation = "grown"     // the copy with more appended
	RelationRewritten Relation = "rewritten" // doesn't contain all of the copy
	RelationGone      Relation = "gone"      // the transcript no longer exists
)

// Held reports whether the transcript has every byte of the backup.
func (r Relation) Held() bool { return r == RelationSame || r == RelationGrown }

// Todo is an entry of the Remaining Todos of a document (spec 000: "- [ ] HIGH: text").
type Todo struct {
	Text     string
	Priority string // high, medium, low, blocked; "" for none
	Done     bool   // its box is ticked
}

// When returns the time that orders the row: for a session, the time of its last real message (see Session.When); for a
// backup or document, its creation time; zero if unknown.
func (r *Row) When() time.Time {
	if r.Kind != KindSession {
		return r.Created
	}
	return r.Session.When()
}

// Dated reports whether When comes from the contents, not from the modification time of the file.
func (r *Row) Dated() bool {
	if r.Kind != KindSession {
		return !r.Created.IsZero()
	}
	return r.Session.Dated()
}

// Lost returns Saved of a backup whose session has no transcript any more; nil for other rows.
func (r *Row) Lost() *Row {
	if r.Kind != KindBackup || r.Deleted || !r.Has(FlagBackupOnly) {
		return nil
	}
	return r.Saved
}

// Described returns the row that describes the conversation in the file of the row: Lost if there is one, else itself.
func (r *Row) Described() *Row {
	if lost := r.Lost(); lost != nil {
		return lost
	}
	return r
}

// LastBackups returns the newest backup that can be read of each session whose transcript is gone, by session ID.
func LastBackups(rows iter.Seq[*Row]) map[string]*Row {
	last := map[string]*Row{}
	for r := range rows {
		if r.Kind != KindBackup || r.Of == "" || r.Deleted || r.State == StateUnreadable || !r.Has(FlagBackupOnly) {
			continue
		}
		if was := last[r.Of]; was == nil || r.Compare(was) < 0 {
			last[r.Of] = r
		}
	}
	return last
}

// Quiet reports whether lists hide the row by default and only count it: a session without messages (a stub, or empty),
// made by claude -p, or archived by the person. The other kinds of rows are never quiet.
func (r *Row) Quiet() bool {
	return r.Kind == KindSession && (r.State == StateStub || r.State == StateEmpty || r.Has(FlagSDK) || r.Archived)
}

// Compare orders rows for every list: newest first, undated ones last, equal ones by path.
func (r *Row) Compare(o *Row) int {
	return compare(r.Dated(), o.Dated(), r.When(), o.When(), r.Path, o.Path)
}

// Batch is a part of the catalogue. A row replaces the earlier one with the same Path.
type Batch struct {
	Rows []Row
	Gone []string // paths of rows to remove: their files don't exist
	Err  error    // a part that couldn't be read; the stream continues
	Part bool     // only the newest rows, for a quick first screen; the next batch has all rows
	Done bool     // the last batch: every figure is exact
}

// Badge is the status that a row shows.
type Badge string

// The badges, in order of precedence. A row shows the word of every badge except stub and ok.
const (
	BadgeWaiting      Badge = "waits for you"
	BadgeLive         Badge = "live"
	BadgeBroken       Badge = "broken"        // the file was deleted or can't be read, so claude --resume would fail
	BadgePending      Badge = "pending"       // of a backup
	BadgeOnlyCopy     Badge = "only copy"     // the transcript is gone
	BadgePurgeSoon    Badge = "purge soon"    // Claude Code will delete the transcript, and no backup has all of it
	BadgeHiddenBranch Badge = "hidden branch" // messages that the client hides on resume
	BadgeStub         Badge = "stub"          // no messages
	BadgeOK           Badge = "ok"
)

// Badge returns the first badge that applies.
func (r *Row) Badge() Badge {
	switch {
	case r.Deleted:
		return BadgeBroken
	case r.Live != nil && r.Live.Status == StatusWaiting:
		return BadgeWaiting
	case r.Has(FlagLive):
		return BadgeLive
	case r.State == StateUnreadable:
		return BadgeBroken
	case r.Pending:
		return BadgePending
	case r.Has(FlagBackupOnly):
		return BadgeOnlyCopy
	case r.Has(FlagPurgeSoon) && !r.Copied:
		return BadgePurgeSoon
	case r.Has(FlagHiddenBranch):
		return BadgeHiddenBranch
	case r.State == StateStub || r.State == StateEmpty:
		return BadgeStub
	}
	return BadgeOK
}

// Unpicked says why the list of Claude Code's own /resume doesn't show a session in its project; "" if it does. Client
// 2.1.330 leaves out sessions of claude -p and the SDK, files whose name isn't a session ID, and those with a Picker.
// It lists empty and damaged files, files with only metadata, sessions of /bg, and sessions that begin with a slash
// command or progress. The number of sessions is not limited.
func (r *Row) Unpicked() string {
	switch {
	case r.Kind != KindSession:
	case r.Has(FlagSDK):
		return "headless run"
	case r.Has(FlagNotResumable):
		return "the file name isn't a session ID"
	default:
		return r.Picker
	}
	return ""
}
