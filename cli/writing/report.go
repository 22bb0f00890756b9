package writing

import (
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions"
)

// Lint is what was found, for programs.
type Lint struct {
	Path     string        `json:"path"`
	Findings []LintFinding `json:"findings"`
	Remarks  []LintRemark  `json:"remarks"`
}

// LintFinding is a line of NOTES.md that breaks the format.
type LintFinding struct {
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
	Is     string `json:"is"`
	Why    string `json:"why"`
	Right  string `json:"shouldBe"` // "" it cannot be told
}

// LintRemark is a line of NOTES.md that keeps the format and has a status nobody knows.
type LintRemark struct {
	Line   int           `json:"line"`
	Is     string        `json:"is"`
	Status ledger.Status `json:"status"`
	About  string        `json:"about"`
}

// Staged is a staged recovery for programs.
type Staged struct {
	Path   string   `json:"path"`
	At     out.Time `json:"at"`
	Tokens int      `json:"tokens"` // an estimate
}

// Report is a plan, and what has become of it, for programs.
type Report struct {
	Action   string           `json:"action"`
	Done     bool             `json:"done"`
	Backups  []ReportedBackup `json:"backups"`  // that it is about
	Markers  []string         `json:"markers"`  // paths of those that are removed, come back, or are made
	Kept     []ReportedKept   `json:"kept"`     // backups that stay although they are old, or because they are the same
	Made     []string         `json:"made"`     // paths of new files
	Deleted  []string         `json:"deleted"`  // paths of what is gone for good
	Entries  []string         `json:"entries"`  // of the trash: what backup undo takes
	Problems []string         `json:"problems"` // besides

	Document *Saved  `json:"document,omitempty"` // of save
	Staged   *Staged `json:"staged,omitempty"`   // of a recovery that is staged or taken away
	Note     *Noted  `json:"note,omitempty"`     // of note
	Lint     *Lint   `json:"lint,omitempty"`     // of notes lint --fix
	Delta    *Delta  `json:"delta,omitempty"`    // of delta
	Heal     *Heal   `json:"heal,omitempty"`     // of heal
}

// ReportedBackup is a backup that a plan is about.
type ReportedBackup struct {
	Path       string            `json:"path"`       // "" it is not made yet
	Transcript string            `json:"transcript"` // "" none, or not known
	Session    string            `json:"session"`
	Bytes      int64             `json:"bytes"`
	Relation   sessions.Relation `json:"relation"` // of the transcript to it, every byte compared; "" unknown
}

// ReportedKept is a backup that a plan leaves, and why.
type ReportedKept struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Delta is a delta that is brought to the ledger, or would be.
type Delta struct {
	Session   string       `json:"session"` // "" none
	Tokens    int64        `json:"tokens"`  // that its context has taken up; 0 unknown
	Level     string       `json:"level"`
	Last      out.Time     `json:"last"` // of the delta before
	Findings  []DeltaEntry `json:"findings"`
	Text      string       `json:"text"` // as they stand in NOTES.md
	Line      int          `json:"line"`
	Section   string       `json:"section"`
	Forks     []string     `json:"forks"` // what was left out because the ledger says otherwise
	Known     int          `json:"known"`
	Left      int          `json:"left"`
	Bead      string       `json:"bead"` // that gets comments
	File      string       `json:"file"` // of the trajectory
	NotesDone bool         `json:"notesUpdated"`
	BeadDone  bool         `json:"beadUpdated"`
	Logged    bool         `json:"logged"`
}

// DeltaEntry is one entry that a delta adds.
type DeltaEntry struct {
	Title     string   `json:"title"`
	Text      string   `json:"text"`
	Rationale string   `json:"rationale"`
	Evidence  []string `json:"evidence"`
	Bead      string   `json:"bead"`
}

// Disagreement is one thing about which the sources of a ledger disagree.
type Disagreement struct {
	About string       `json:"about"`
	Wins  truth.Source `json:"wins"`
	Says  []Saying     `json:"says"`
	Do    string       `json:"do"`
}

// Saying is what one source says of a disagreement.
type Saying struct {
	Source truth.Source `json:"source"`
	Text   string       `json:"text"`
	Line   int          `json:"line"` // of NOTES.md; 0 none
}

// Heal is what was found of a ledger, and what is done about it.
type Heal struct {
	Root   string     `json:"root"`
	Issues int        `json:"issues"`
	Git    string     `json:"git"` // why git was not asked; "" it was, or nothing was missing
	Parts  []HealPart `json:"parts"`
	// Disagreements are no issues: nothing is missing.
	Disagreements []Disagreement `json:"disagreements"`
	Recorded      string         `json:"recorded"` // the trajectory that was written to; "" none
}

// HealPart is one part of a ledger that heal looked at.
type HealPart struct {
	Part  heal.Part   `json:"part"`
	Path  string      `json:"path"`
	State heal.State  `json:"state"`
	Do    heal.Do     `json:"do"`   // restore, template, make, mention, leave; "" nothing
	From  heal.Source `json:"from"` // HEAD, index, template; "" nowhere
	With  heal.Part   `json:"with"` // the part with which it comes back; ""
	Files []string    `json:"files"`
	Why   []string    `json:"why"`
}

// Noted is an entry that is written, or would be.
type Noted struct {
	Kind    notes.EntryKind `json:"kind"`
	Root    string          `json:"root"`
	Path    string          `json:"path"` // NOTES.md; "" it goes to the bead
	Bead    string          `json:"bead"`
	Section string          `json:"section"`
	New     bool            `json:"newSection"`
	Line    int             `json:"line"` // 0 of a bead
	Text    string          `json:"text"` // as it stands there
	At      out.Time        `json:"at"`   // that the entry says
}

// Saved is a session document that is saved, or would be.
type Saved struct {
	Path    string `json:"path"`
	Context string `json:"context"` // active-context.md, "" it is left as it is
	Session string `json:"session"`
	Bytes   int    `json:"bytes"`
	Text    string `json:"text,omitempty"` // with --dry-run
}
