package writing

import (
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions"
)

// Staged is a staged recovery for programs.
type Staged struct {
	Path   string   `json:"path"`
	At     out.Time `json:"at"`
	Tokens int      `json:"tokens"` // estimated
}

// Report is a plan and its result for programs.
type Report struct {
	Action   string           `json:"action"`
	Done     bool             `json:"done"`
	Backups  []ReportedBackup `json:"backups"`  // backups in the plan
	Markers  []string         `json:"markers"`  // paths of removed, restored or new markers
	Kept     []ReportedKept   `json:"kept"`     // backups that stay because they are old or identical
	Made     []string         `json:"made"`     // paths of new files
	Deleted  []string         `json:"deleted"`  // paths of deleted files
	Entries  []string         `json:"entries"`  // IDs of the trash entries, for backup undo
	Problems []string         `json:"problems"` // sentences about parts that failed

	Sessions []ReportedSession `json:"sessions,omitempty"` // from delete, clean and their undo

	Document *Saved      `json:"document,omitempty"` // from save
	Staged   *Staged     `json:"staged,omitempty"`   // a recovery that was staged or removed
	Note     *Noted      `json:"note,omitempty"`     // from note
	Lint     *out.Record `json:"lint,omitempty"`     // from notes lint --fix
	Delta    *Delta      `json:"delta,omitempty"`    // from delta
	Heal     *Heal       `json:"heal,omitempty"`     // from heal
}

// ReportedBackup is a backup in a plan.
type ReportedBackup struct {
	Path       string            `json:"path"`       // "" before it is made
	Transcript string            `json:"transcript"` // "" if missing or unknown
	Session    string            `json:"session"`
	Bytes      int64             `json:"bytes"`
	Relation   sessions.Relation `json:"relation"` // relation of the transcript to the backup, all bytes compared; "" unknown
}

// ReportedSession is a session in a plan.
type ReportedSession struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Trash    string `json:"trash"` // path of the transcript in the trash
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Reason   string `json:"reason"`   // from clean: empty, stub or duplicate
	OnlyCopy bool   `json:"onlyCopy"` // no backup has all of it
}

// ReportedKept is a backup that a plan keeps, and the reason.
type ReportedKept struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Delta is a planned or saved delta.
type Delta struct {
	Session   string       `json:"session"` // "" if there is none
	Tokens    int64        `json:"tokens"`  // tokens in the context of the session; 0 unknown
	Level     string       `json:"level"`
	Last      out.Time     `json:"last"` // time of the previous delta
	Findings  []DeltaEntry `json:"findings"`
	Text      string       `json:"text"` // the lines of NOTES.md
	Line      int          `json:"line"`
	Section   string       `json:"section"`
	Forks     []string     `json:"forks"` // findings left out because they contradict the ledger
	Known     int          `json:"known"`
	Left      int          `json:"left"`
	Bead      string       `json:"bead"` // receives the comments
	File      string       `json:"file"` // the trajectory file
	NotesDone bool         `json:"notesUpdated"`
	BeadDone  bool         `json:"beadUpdated"`
	Logged    bool         `json:"logged"`
}

// DeltaEntry is one entry of a delta.
type DeltaEntry struct {
	Title     string   `json:"title"`
	Text      string   `json:"text"`
	Rationale string   `json:"rationale"`
	Evidence  []string `json:"evidence"`
	Bead      string   `json:"bead"`
}

// Disagreement is a fact on which two sources of a ledger disagree.
type Disagreement struct {
	About string       `json:"about"`
	Wins  truth.Source `json:"wins"`
	Says  []Saying     `json:"says"`
	Do    string       `json:"do"`
}

// Saying is the statement of one source in a disagreement.
type Saying struct {
	Source truth.Source `json:"source"`
	Text   string       `json:"text"`
	Line   int          `json:"line"` // line in NOTES.md; 0 if none
}

// Heal is the state of a ledger and the repairs.
type Heal struct {
	Root   string     `json:"root"`
	Issues int        `json:"issues"`
	Git    string     `json:"git"` // why git wasn't asked; "" if it was, or if nothing was missing
	Parts  []HealPart `json:"parts"`
	// Disagreements aren't counted in Issues, because no part is missing.
	Disagreements []Disagreement `json:"disagreements"`
	Recorded      string         `json:"recorded"` // trajectory file with the record; "" if none
}

// HealPart is one checked part of a ledger.
type HealPart struct {
	Part  heal.Part   `json:"part"`
	Path  string      `json:"path"`
	State heal.State  `json:"state"`
	Do    heal.Do     `json:"do"`   // restore, template, make, mention, leave; "" nothing
	From  heal.Source `json:"from"` // HEAD, index, template; "" unavailable
	With  heal.Part   `json:"with"` // parent part that restores this one; "" if none
	Files []string    `json:"files"`
	Why   []string    `json:"why"`
}

// Noted is a planned or saved entry.
type Noted struct {
	Kind    notes.EntryKind `json:"kind"`
	Root    string          `json:"root"`
	Path    string          `json:"path"` // NOTES.md; "" for a comment of a bead
	Bead    string          `json:"bead"`
	Section string          `json:"section"`
	New     bool            `json:"newSection"`
	Line    int             `json:"line"` // 0 for a comment of a bead
	Text    string          `json:"text"` // the lines of the entry
	At      out.Time        `json:"at"`   // time in the entry
}

// Saved is a planned or saved session document.
type Saved struct {
	Path    string `json:"path"`
	Context string `json:"context"` // active-context.md; "" if it doesn't change
	Session string `json:"session"`
	Bytes   int    `json:"bytes"`
	Text    string `json:"text,omitempty"` // with --dry-run
}
