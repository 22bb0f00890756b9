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

// Row is one entry of the catalogue. Its key is its Path. For backups and documents, some fields of Session stay zero.
type Row struct {
	Kind Kind
	Session
	Deleted bool // the file no longer exists, but the row still describes it
	// Attention describes the attention budget of a live session (spec 002); nil if unknown. The catalogue doesn't set
	// it, because it doesn't read ledgers.
	Attention *Attention

	// These fields, Name and Tags contain what the user wrote about the session (sessions/annotate). They aren't in the
	// transcript.
	Starred, Archived bool
	Note              string // clean; may have several lines
	Renamed           bool   // the user set Name; Recorded is the original name
	Recorded          string

	// The following fields are set only for backups (spec 000).
	Pending  bool     // not yet restored or discarded: a marker names the backup
	Unseen   bool     // not pending, newer than every session document of its memory directory, and never opened in continuo
	Of       string   // ID of the session in the backup; "" if unknown
	Original string   // path of the transcript with this ID, preferably in the same project; "" if there is none
	OfTitle  string   // the user's name for the session, or else its title in Original; "" if there is none
	Relation Relation // compares Original with the backup; "" if not compared yet
	Fault    string   // a defect of the backup, such as "torn last line"; "" if none is known
	// Unsearched reports that no Original was found, but that a directory of projects/ couldn't be searched.
	Unsearched bool
	// Saved describes the session in the backup like a row of its own, with its annotations. It is nil until the backup
	// is read. Saved.Path is the original path of the transcript, or "" if the backup doesn't tell the folder of the
	// session.
	Saved *Row

	// The following fields are set only for documents (spec 000). Tags is also set for sessions. All texts are clean
	// lines.
	Status   string // from the front matter, such as "in-progress" or "completed"; "" if unknown
	Tags     []string
	Called   string   // name of the project in the front matter; "" if none
	Previous string   // file name of the previous document, from the front matter; "" if none
	Todos    []Todo   // entries of the section Remaining Todos
	Next     []string // entries of the section Next Steps, without numbers
	// Malformed reports that the front matter couldn't be parsed completely. Reason has the details. Status, Tags,
	// Branch and Previous may be incomplete.
	Malformed bool
}

// IsSessionDocument reports whether the row is a document of one session. active-context and project-memory aren't:
// they are rewritten again and again (spec 000).
func (r *Row) IsSessionDocument() bool {
	return r.Kind == KindDocument && strings.HasPrefix(r.file(), "session-") && !r.IsSnapshot()
}

// IsSnapshot reports whether the row is the task snapshot of a folder (spec 004).
func (r *Row) IsSnapshot() bool { return r.Kind == KindDocument && r.file() == "session-protocol.json" }

func (r *Row) file() string { return r.Path[strings.LastIndexAny(r.Path, `/\`)+1:] }

// Attention tells how much of its attention budget a session has used (spec 002). It is only advice.
type Attention struct {
	Level string // green, yellow, orange or red; see ledger.AttentionLevel
	Used  int64  // tokens, from Session.ContextUsed
	Fresh int64  // tokens since the last delta-synthesis
	Due   bool   // it is time for another delta-synthesis
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

// Held reports whether the transcript contains the whole backup.
func (r Relation) Held() bool { return r == RelationSame || r == RelationGrown }

// Todo is an entry of the Remaining Todos of a document (spec 000: "- [ ] HIGH: text").
type Todo struct {
	Text     string
	Priority string // high, medium, low, blocked; "" if none
	Done     bool   // the box is ticked
}

// When returns the time by which the row is sorted; zero if unknown. For a session, it is the time of the last real
// message (see Session.When). For a backup or document, it is the creation time.
func (r *Row) When() time.Time {
	if r.Kind != KindSession {
		return r.Created
	}
	return r.Session.When()
}

// Dated reports whether When is a time from the contents of the file and not the modification time.
func (r *Row) Dated() bool {
	if r.Kind != KindSession {
		return !r.Created.IsZero()
	}
	return r.Session.Dated()
}

// Lost returns r.Saved if r is a backup of a session without a transcript, and nil otherwise.
func (r *Row) Lost() *Row {
	if r.Kind != KindBackup || r.Deleted || !r.Has(FlagBackupOnly) {
		return nil
	}
	return r.Saved
}

// Described returns the row that describes the conversation: r.Lost() if it isn't nil, and r otherwise.
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

// Quiet reports whether lists hide the row by default and only count it: sessions without messages, sessions of `claude
// -p`, and sessions that the user archived.
func (r *Row) Quiet() bool {
	return r.Kind == KindSession && (r.State == StateStub || r.State == StateEmpty || r.Has(FlagSDK) || r.Archived)
}

// Compare defines the order of rows in every list: newest first, undated rows last, rows with equal times by path.
func (r *Row) Compare(o *Row) int {
	return compare(r.Dated(), o.Dated(), r.When(), o.When(), r.Path, o.Path)
}

// Batch is a set of changes to the list of rows. A row replaces an earlier row with the same Path.
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
	BadgeBroken       Badge = "broken"        // the file was deleted or can't be read, so claude --resume would fail
	BadgePending      Badge = "pending"       // the backup isn't restored or discarded yet
	BadgeOnlyCopy     Badge = "only copy"     // the transcript is gone
	BadgePurgeSoon    Badge = "purge soon"    // Claude Code will soon delete the transcript, and no backup contains all of it
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

// Unpicked returns the reason why the /resume list of Claude Code doesn't show a session in its project, or "" if the
// list shows it. Client 2.1.330 leaves out sessions of claude -p and the SDK, files whose name isn't a session ID, and
// sessions with a Picker. It lists empty and damaged files, files with only metadata, sessions of /bg, and sessions
// that begin with a slash command or a progress record. It lists any number of sessions.
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
