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
	KindDocument Kind = "document" // an archived session document, active-context or project memory (spec 000), or a snapshot (spec 004)
)

// Row is one line of the catalogue. For backups and documents, only those fields of Session are set that apply. The key
// of a row is its Path.
type Row struct {
	Kind Kind
	Session
	Deleted bool // the file no longer exists, but the row still describes it
	// Attention is the used part of the attention budget of a live session, or nil if unknown. The catalogue doesn't
	// read ledgers, so the caller sets this field.
	Attention *Attention

	// The following fields contain what the user wrote about a session (sessions/annotate). Tags, below, is also set.
	// The transcript doesn't contain this data.
	Starred, Archived bool
	Note              string // clean; may have several lines
	Renamed           bool   // the user set Name; Recorded is the name in the transcript
	Recorded          string

	// The following fields are set for backups only (spec 000).
	Pending  bool     // a marker names it: not yet restored or discarded
	Unseen   bool     // not pending, newer than every session document of its memory, and never opened here
	Of       string   // ID of the session that was backed up; "" unknown
	Original string   // path of the transcript with that ID, preferably in its own project; "" for none
	OfTitle  string   // the name that the user gave the session, else its title in Original; "" if there is none
	Relation Relation // relation of Original to the backup; "" unknown, or not compared yet
	Fault    string   // a defect of the copy itself, in a few words: "torn last line"; "" for none known
	// Unsearched reports that Original is "" and a project directory that may contain the transcript couldn't be
	// listed.
	Unsearched bool
	// Saved is a row for the session that the backup contains. It also has the name, tags and notes that the user
	// gave the session. It is nil until the backup is read. Its Path is where the transcript was, or "" if the backup
	// doesn't contain the folder of the session.
	Saved *Row

	// The following fields are set for documents only (spec 000), except Tags, which is also set for sessions. All
	// texts are clean lines.
	Status   string // from the front matter: "in-progress", "completed" or any other text; "" if unknown
	Tags     []string
	Called   string   // name of the project in the front matter; "" if none
	Previous string   // file name of the previous document, from the front matter; "" if none
	Todos    []Todo   // entries of the section Remaining Todos
	Next     []string // entries of the section Next Steps, without numbers
	// Malformed reports that a part of the front matter couldn't be parsed. Reason has the details. Status, Tags,
	// Branch and Previous may be incomplete.
	Malformed bool
}

// IsSessionDocument reports whether the row is the document of one session. It returns false for the active context and
// the project memory, which are rewritten again and again (spec 000).
func (r *Row) IsSessionDocument() bool {
	return r.Kind == KindDocument && strings.HasPrefix(r.file(), "session-") && !r.IsSnapshot()
}

// IsSnapshot reports whether the row is the snapshot of the tasks of a folder (spec 004).
func (r *Row) IsSnapshot() bool { return r.Kind == KindDocument && r.file() == "session-protocol.json" }

func (r *Row) file() string { return r.Path[strings.LastIndexAny(r.Path, `/\`)+1:] }

// Attention is the used part of a project's attention budget, computed from the context of a session (spec 002). It is
// only advice.
type Attention struct {
	Level string // green, yellow, orange or red; see ledger.AttentionLevel
	Used  int64  // tokens, from Session.ContextUsed
	Fresh int64  // tokens since the last delta-synthesis
	Due   bool   // another delta-synthesis is due
}

// Relation compares a transcript with its backup. Claude Code only appends to transcripts.
type Relation string

// The relations of a transcript to its backup.
const (
	RelationSame      Relation = "same"      // identical to the copy
	RelationGrown     Relation = "grown"     // starts with the copy and is longer
	RelationRewritten Relation = "rewritten" // doesn't contain all of the copy
	RelationGone      Relation = "gone"      // the transcript no longer exists
)

// Held reports whether the transcript contains every byte of the backup.
func (r Relation) Held() bool { return r == RelationSame || r == RelationGrown }

// Todo is an entry of the Remaining Todos of a document (spec 000: "- [ ] HIGH: text").
type Todo struct {
	Text     string
	Priority string // high, medium, low, blocked; "" if none
	Done     bool   // the box is ticked
}

// When returns the time by which the row is sorted, or zero if unknown. For a session, that is the time of the last
// real message (see Session.When); for a backup or document, the creation time.
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

// Lost returns r.Saved if the row is a backup whose transcript no longer exists, otherwise nil.
func (r *Row) Lost() *Row {
	if r.Kind != KindBackup || r.Deleted || !r.Has(FlagBackupOnly) {
		return nil
	}
	return r.Saved
}

// Described returns the row that describes the conversation: r.Lost() if it isn't nil, otherwise r.
func (r *Row) Described() *Row {
	if lost := r.Lost(); lost != nil {
		return lost
	}
	return r
}

// LastBackups returns, by session ID, the newest readable backup of each session whose transcript no longer exists.
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

// Quiet reports whether lists hide the row by default and show only the number of such rows. This is the case for a
// session that has no messages, was made by `claude -p`, or was archived by the user. Rows of other kinds are never
// quiet.
func (r *Row) Quiet() bool {
	return r.Kind == KindSession && (r.State == StateStub || r.State == StateEmpty || r.Has(FlagSDK) || r.Archived)
}

// Compare defines the order of rows in every list: newest first, undated rows last, rows with equal times by path.
func (r *Row) Compare(o *Row) int {
	return compare(r.Dated(), o.Dated(), r.When(), o.When(), r.Path, o.Path)
}

// Batch is a part of the catalogue. A row in it replaces an earlier row with the same Path.
type Batch struct {
	Rows []Row
	Gone []string // paths of rows to remove, because their files no longer exist
	Err  error    // why a part couldn't be read; more batches follow
	Part bool     // has only the newest rows, so that the first screen appears quickly; the next batch has all rows
	All  int      // if Part is set: the number of transcripts that were found
	// If Part is set: the size of these transcripts.
	AllBytes int64
	Done     bool // the last batch; every figure is exact
}

// Badge is the status that a row shows.
type Badge string

// The badges, in order of precedence. For every badge except BadgeStub and BadgeOK, the row shows the word.
const (
	BadgeWaiting      Badge = "waits for you"
	BadgeLive         Badge = "live"
	BadgeBroken       Badge = "broken"        // the file was deleted or can't be read, so claude --resume would fail
	BadgePending      Badge = "pending"       // a backup that isn't restored or discarded yet
	BadgeOnlyCopy     Badge = "only copy"     // the transcript is gone
	BadgePurgeSoon    Badge = "purge soon"    // Claude Code will soon delete the transcript; no backup has all of it
	BadgeHiddenBranch Badge = "hidden branch" // the session has messages that the client hides on resume
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

// Unpicked returns the reason why the /resume list of Claude Code doesn't show a session in its project, or "" if the
// list shows it. Client 2.1.330 leaves out sessions of claude -p and the SDK, files whose name isn't a session ID, and
// those with a Picker. It lists empty and damaged files, files with only metadata, sessions of /bg, and sessions that
// begin with a slash command or progress. The number of sessions is not limited.
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
