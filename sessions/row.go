package sessions

import (
	"strings"
	"time"
)

// Kind tells the three things that the catalogue lists apart.
type Kind string

// The kinds of rows.
const (
	KindSession  Kind = "session"
	KindBackup   Kind = "backup"   // a raw backup, spec 000
	KindDocument Kind = "document" // an archived session document, active-context or project memory, spec 000
)

// Row is one line of the catalogue. Backups and documents use the fields of Session that they have;
// the key of a row is its Path.
type Row struct {
	Kind Kind
	Session
	Deleted bool // the file was listed and is not there any more; what was known of it stays
	// Attention is how much of its budget a live session has used; nil unknown. The catalogue knows no ledger: whoever
	// does fills it in.
	Attention *Attention

	// Of a backup (spec 000).
	Pending  bool     // a marker names it: not dealt with yet
	Unseen   bool     // not pending, newer than every session document of its memory, and never opened here
	Of       string   // the session that it was taken of; "" unknown
	Original string   // path of the transcript with that id, of several that of its own project; "" there is none
	Relation Relation // of that transcript to it; "" not known, or not yet
	Fault    string   // what is wrong with the copy itself, in a few words: "torn last line"; "" nothing is known against it
	// Unsearched says that Original is "" and a project directory could not be listed: the transcript may be in there.
	Unsearched bool

	// Of a document (spec 000). All texts are clean lines.
	Status   string // as its front matter says: "in-progress", "completed", an open set; "" unknown
	Tags     []string
	Called   string   // what its front matter calls the project; "" nothing
	Previous string   // the file name of the document that it continues, as its front matter says; "" none
	Todos    []Todo   // its Remaining Todos, in order
	Next     []string // its Next Steps, in order, without their numbers
	// Malformed says that its front matter could not be read as a whole, as Reason tells: what is not in Status, Tags,
	// Branch and Previous may stand there all the same.
	Malformed bool
}

// Archived reports whether the row is the document of a session: the active context and the project memory are written
// again and again (spec 000).
func (r *Row) Archived() bool {
	name := r.Path[strings.LastIndexAny(r.Path, `/\`)+1:]
	return r.Kind == KindDocument && strings.HasPrefix(name, "session-")
}

// Attention is how much of the attention budget of its project the context of a session has used (spec 002; advisory).
type Attention struct {
	Level string // green, yellow, orange or red, as ledger.AttentionLevel
	Used  int64  // tokens, as of Session.ContextUsed
	Fresh int64  // of them, those since the last delta-synthesis
	Due   bool   // another delta-synthesis is due
}

// Relation is what has become of the transcript that a backup was taken of. The client only ever appends to one.
type Relation string

// The relations of a transcript to its backup.
const (
	RelationSame      Relation = "same"      // byte for byte what was copied
	RelationGrown     Relation = "grown"     // that, and more behind it
	RelationRewritten Relation = "rewritten" // not, or not all of it
	RelationGone      Relation = "gone"      // there is no transcript
)

// Held reports whether the transcript has every byte of the backup.
func (r Relation) Held() bool { return r == RelationSame || r == RelationGrown }

// Todo is an entry of the Remaining Todos of a document (spec 000: "- [ ] HIGH: text").
type Todo struct {
	Text     string
	Priority string // high, medium, low, blocked; "" none is given
	Done     bool   // its box is ticked
}

// When is the time that the row is ordered by: the last real message of a session, the time that a backup
// or document was made. Of the latter it is zero if that is unknown.
func (r *Row) When() time.Time {
	if r.Kind != KindSession {
		return r.Created
	}
	return r.Session.When()
}

// Dated reports whether When comes from what is inside, not from the modification time of the file.
func (r *Row) Dated() bool {
	if r.Kind != KindSession {
		return !r.Created.IsZero()
	}
	return r.Session.Dated()
}

// Quiet reports whether a list that a person looks at leaves the row out at first, and counts it: a session that
// has no message (a stub, or empty) or was made by claude -p. The other kinds of rows are never quiet.
func (r *Row) Quiet() bool {
	return r.Kind == KindSession && (r.State == StateStub || r.State == StateEmpty || r.Has(FlagSDK))
}

// Compare orders rows as every list does: newest first, those that nothing dates last, equal ones by path.
func (r *Row) Compare(o *Row) int {
	return compare(r.Dated(), o.Dated(), r.When(), o.When(), r.Path, o.Path)
}

// Batch is a part of the catalogue as it becomes known. A row replaces the earlier one with its Path.
type Batch struct {
	Rows []Row
	Gone []string // paths of rows that must leave: they turned out not to be there
	Err  error    // a part that could not be read; the rest goes on
	Part bool     // only the newest rows, so that something is there; the batch with all of them is next
	Done bool     // the last batch: every figure is exact
}

// Badge is the one word that a row wears.
type Badge string

// The badges, in order of precedence (the order of the states and flags of a session).
const (
	BadgeDeleted      Badge = "deleted"
	BadgeLive         Badge = "live"
	BadgeWaiting      Badge = "waits for you"
	BadgeUnreadable   Badge = "unreadable"
	BadgeDamaged      Badge = "damaged"
	BadgePending      Badge = "pending"
	BadgeBackupOnly   Badge = "only in backup"
	BadgePurgeSoon    Badge = "purge soon"
	BadgeHiddenBranch Badge = "hidden branch"
	BadgeNoBackup     Badge = "no backup"
	BadgeStub         Badge = "stub"
	BadgeEmpty        Badge = "empty"
	BadgeOK           Badge = "ok"
)

// Badge returns the first badge that applies.
func (r *Row) Badge() Badge {
	switch {
	case r.Deleted:
		return BadgeDeleted
	case r.Live != nil && r.Live.Status == StatusWaiting:
		return BadgeWaiting
	case r.Has(FlagLive):
		return BadgeLive
	case r.State == StateUnreadable:
		return BadgeUnreadable
	case r.State == StateDamaged:
		return BadgeDamaged
	case r.Pending:
		return BadgePending
	case r.Has(FlagBackupOnly):
		return BadgeBackupOnly
	case r.Has(FlagPurgeSoon):
		return BadgePurgeSoon
	case r.Has(FlagHiddenBranch):
		return BadgeHiddenBranch
	case r.Has(FlagNoBackup):
		return BadgeNoBackup
	case r.State == StateStub:
		return BadgeStub
	case r.State == StateEmpty:
		return BadgeEmpty
	}
	return BadgeOK
}
