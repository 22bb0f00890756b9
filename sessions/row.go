package sessions

import (
	"iter"
	"strings"
	"time"
)

// Kind is the kind of a row in the catalogue.
type Kind string

// The kinds of rows.
const (
	KindSession  Kind = "session"
	KindBackup   Kind = "backup"   // a raw backup, spec 000
	KindDocument Kind = "document" // a session document, active-context or project memory (spec 000), or a snapshot (spec 004)
)

// Row is an entry of the catalogue. Its key is its Path. Backups and documents don't have all fields of Session.
type Row struct {
	Kind Kind
	Session
	Deleted bool // the file is gone, but the row still describes it
	// Attention is the attention budget of a live session (spec 002); nil if unknown. It needs a ledger, so the
	// catalogue doesn't set it.
	Attention *Attention

	// These fields, Name and Tags are the user's notes on the session (sessions/annotate), not from the transcript.
	Starred, Archived bool
	Note              string // clean; may have several lines
	Renamed           bool   // the user set Name; Recorded is the original name
	Recorded          string

	// The following fields are for backups (spec 000).
	Pending  bool     // not yet restored or discarded: a marker names the backup
	Unseen   bool     // not pending, newer than every session document of its memory directory, and never opened in continuo
	Of       string   // ID of the session in the backup; "" if unknown
	Original string   // path of the transcript with this ID, preferably in the same project; "" for none
	OfTitle  string   // the user's name for the session, otherwise its title in Original; "" for none
	Relation Relation // compares Original with the backup; "" if not compared yet
	Fault    string   // a defect of the backup, such as "torn last line"; "" if none is known
	// Unsearched is true without an Original, if a directory of projects/ couldn't be searched.
	Unsearched bool
	// Saved describes the session in the backup as a row, with the user's notes. It is nil until the backup is read.
	// Saved.Path is the original path of the transcript, or "" if unknown.
	Saved *Row

	// The following fields are for documents (spec 000), and Tags for sessions, too. All texts are clean lines.
	Status   string // from the front matter, such as "in-progress" or "completed"; "" if unknown
	Tags     []string
	Called   string   // name of the project in the front matter; "" if none
	Previous string   // file name of the previous document, from the front matter; "" if none
	Todos    []Todo   // entries of the section Remaining Todos
	Next     []string // entries of the section Next Steps, without numbers
	// Malformed is true if the front matter couldn't be parsed completely; see Reason. Status, Tags, Branch and
	// Previous may be incomplete.
	Malformed bool
}

// IsSessionDocument reports whether the row is a document of one session. active-context and project-memory are
// rewritten all the time (spec 000).
func (r *Row) IsSessionDocument() bool {
	return r.Kind == KindDocument && strings.HasPrefix(r.file(), "session-") && !r.IsSnapshot()
}

// IsSnapshot reports whether the row is the task snapshot of a folder (spec 004).
func (r *Row) IsSnapshot() bool { return r.Kind == KindDocument && r.file() == "session-protocol.json" }

func (r *Row) file() string { return r.Path[strings.LastIndexAny(r.Path, `/\`)+1:] }

// Attention is how much of its attention budget a session has used (spec 002).
type Attention struct {
	Level string // green, yellow, orange or red; see ledger.AttentionLevel
	Used  int64  // tokens, from Session.ContextUsed
	Fresh int64  // tokens since the last delta-synthesis
	Due   bool   // a delta-synthesis is due
}

// Relation compares a transcript with its backup. Claude Code only appends to transcripts.
type Relation string

// The relations of a transcript to its backup.
const (
	RelationSame      Relation = "same"      // identical to the copy
	RelationGrown     Relation = "grown"     // starts with the copy and is longer
	RelationRewritten Relation = "rewritten" // doesn't contain the copy completely
	RelationGone      Relation = "gone"      // the transcript no longer exists
)

// Held reports whether the transcript contains the backup completely.
func (r Relation) Held() bool { return r == RelationSame || r == RelationGrown }

// Todo is an entry of the Remaining Todos of a document (spec 000: "- [ ] HIGH: text").
type Todo struct {
	Text     string
	Priority string // high, medium, low, blocked; "" if none
	Done     bool   // the box is ticked
}

// When returns the sort time of the row, or zero. For a session, see Session.When. For a backup or document, it is
// the creation time.
func (r *Row) When() time.Time {
	if r.Kind != KindSession {
		return r.Created
	}
	return r.Session.When()
}

// Dated reports whether When comes from the file's contents.
func (r *Row) Dated() bool {
	if r.Kind != KindSession {
		return !r.Created.IsZero()
	}
	return r.Session.Dated()
}

// Lost returns r.Saved for a backup of a session without a transcript, otherwise nil.
func (r *Row) Lost() *Row {
	if r.Kind != KindBackup || r.Deleted || !r.Has(FlagBackupOnly) {
		return nil
	}
	return r.Saved
}

// Described returns r.Lost(), or r if that is nil: the row of the conversation.
func (r *Row) Described() *Row {
	if lost := r.Lost(); lost != nil {
		return lost
	}
	return r
}

// LastBackups returns the newest readable backup of each session without a transcript, by session ID.
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

// Quiet reports whether lists hide the row by default: sessions without messages, sessions of `claude -p`, and
// archived sessions.
func (r *Row) Quiet() bool {
	return r.Kind == KindSession && (r.State == StateStub || r.State == StateEmpty || r.Has(FlagSDK) || r.Archived)
}

// Compare defines the order of rows in every list: newest first, undated rows last, rows with equal times by path.
func (r *Row) Compare(o *Row) int {
	return compare(r.Dated(), o.Dated(), r.When(), o.When(), r.Path, o.Path)
}

// Batch is a set of changes to the rows. A row replaces an earlier one with the same Path.
type Batch struct {
	Rows []Row
	Gone []string // paths of rows to remove, because their files no longer exist
	Err  error    // why some rows couldn't be read; more batches follow
	Part bool     // only the newest rows, for a quick first screen; the next batch has all rows
	All  int      // with Part: number of transcripts that were found
	Done bool     // the last batch; every figure is exact

	AllBytes int64 // with Part: size of the transcripts that were found
}

// Badge is the status that a row shows.
type Badge string

// The badges, in order of precedence. Rows show the text of every badge except BadgeStub and BadgeOK.
const (
	BadgeWaiting      Badge = "waits for you"
	BadgeLive         Badge = "live"
	BadgeBroken       Badge = "broken"        // the file is gone or unreadable, so claude --resume would fail
	BadgePending      Badge = "pending"       // the backup isn't restored or discarded yet
	BadgeOnlyCopy     Badge = "only copy"     // the transcript is gone
	BadgePurgeSoon    Badge = "purge soon"    // Claude Code will soon delete the transcript, and no backup contains it completely
	BadgeHiddenBranch Badge = "hidden branch" // the session has messages that Claude Code hides on resume
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

// Unpicked returns why the /resume list doesn't show a session in its project, or "". Client 2.1.330 leaves out
// sessions of claude -p and the SDK, files whose name isn't a session ID, and sessions with a Picker. It lists any
// number of others: empty and damaged files, files with only metadata, sessions of /bg, and sessions that begin with
// a slash command or a progress record.
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
