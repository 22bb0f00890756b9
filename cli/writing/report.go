package writing

import (
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/stores"
)

// Staged describes a staged recovery for programs.
type Staged struct {
	Path   string   `json:"path"`
	At     out.Time `json:"at"`
	Tokens int      `json:"tokens"` // estimated
}

// Report describes a plan and its result for programs.
type Report struct {
	Action   string           `json:"action"`
	Done     bool             `json:"done"`
	Backups  []ReportedBackup `json:"backups"`
	Markers  []string         `json:"markers"`  // removed, restored or created markers
	Kept     []ReportedKept   `json:"kept"`     // old or identical backups that stay
	Made     []string         `json:"made"`     // new files
	Deleted  []string         `json:"deleted"`  // deleted files
	Entries  []string         `json:"entries"`  // IDs of trash entries, for backup undo
	Problems []string         `json:"problems"` // problems, one sentence each

	Sessions []ReportedSession `json:"sessions,omitempty"` // from delete and clean, and from undo

	Document *Saved      `json:"document,omitempty"` // from save
	Handover *Handover   `json:"handover,omitempty"`
	Staged   *Staged     `json:"staged,omitempty"` // the staged or removed recovery
	Note     *Noted      `json:"note,omitempty"`
	Lint     *out.Record `json:"lint,omitempty"` // from notes lint --fix
	Delta    *Delta      `json:"delta,omitempty"`
	Heal     *Heal       `json:"heal,omitempty"`
	Snapshot *Snapshot   `json:"snapshot,omitempty"` // from snapshot save
	Task     *Tasked     `json:"task,omitempty"`
}

// Snapshot is a planned or written session-protocol.json.
type Snapshot struct {
	Path    string          `json:"path"`
	Backup  string          `json:"backup"`  // copy of an unreadable previous file, else ""
	Session string          `json:"session"` // "" without a session
	Counts  snapshot.Counts `json:"counts"`
	Next    string          `json:"next"` // ID of the next task; "" if none
	Masked  int             `json:"masked"`
}

// Tasked is a planned or completed change of tasks.
type Tasked struct {
	Root        string               `json:"root"`
	Tasks       []string             `json:"tasks"`
	Session     string               `json:"session"` // the changed session; "" from reap
	From        string               `json:"from"`    // its previous state
	State       string               `json:"state"`   // its new state
	Checkpoints []ReportedCheckpoint `json:"checkpoints"`
	Lacks       []string             `json:"lacks"`       // missing required fields
	Interrupted []string             `json:"interrupted"` // IDs of sessions that reap suspends
	Evidence    []string             `json:"evidence"`    // lines of logs/session.log
	Repaired    []string             `json:"repaired"`    // files from an interrupted write that were completed
}

// ReportedCheckpoint is a checkpoint in a plan.
type ReportedCheckpoint struct {
	ID      string   `json:"id"`
	Task    string   `json:"task"`
	Session string   `json:"session"`
	At      out.Time `json:"at"`
	Gate    string   `json:"gate"`
	Type    string   `json:"type"`
	Summary string   `json:"summary"`
	Path    string   `json:"path"`
}

// ReportedBackup is a backup in a plan.
type ReportedBackup struct {
	Path       string `json:"path"`       // "" before it is made
	Transcript string `json:"transcript"` // "" if the transcript is missing or unknown
	Session    string `json:"session"`
	Bytes      int64  `json:"bytes"`
	// Relation of the transcript to the backup, from all bytes, or "".
	Relation sessions.Relation `json:"relation"`
}

// ReportedSession is a session in a plan.
type ReportedSession struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Trash    string `json:"trash"` // transcript in the trash
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Reason   string `json:"reason"`   // from clean: empty, stub or duplicate
	OnlyCopy bool   `json:"onlyCopy"` // no backup has the whole session
}

// ReportedKept is a backup that stays.
type ReportedKept struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Delta is a planned or written delta.
type Delta struct {
	Session   string       `json:"session"` // "" without a session
	Tokens    int64        `json:"tokens"`  // tokens in the session's context; 0 if unknown
	Level     string       `json:"level"`
	Last      out.Time     `json:"last"` // the previous delta
	Findings  []DeltaEntry `json:"findings"`
	Text      string       `json:"text"` // lines of NOTES.md
	Line      int          `json:"line"`
	Section   string       `json:"section"`
	Forks     []string     `json:"forks"` // findings that contradict the ledger, and are left out
	Known     int          `json:"known"`
	Left      int          `json:"left"`
	Bead      string       `json:"bead"` // the bead for the comments
	File      string       `json:"file"` // the trajectory
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

// Disagreement is a fact on which sources of a ledger disagree.
type Disagreement struct {
	About string       `json:"about"`
	Wins  truth.Source `json:"wins"`
	Says  []Saying     `json:"says"`
	Do    string       `json:"do"`
}

// Saying is one source's statement.
type Saying struct {
	Source truth.Source `json:"source"`
	Text   string       `json:"text"`
	Line   int          `json:"line"` // line in NOTES.md, or 0
}

// Heal is the state of a ledger, with its repairs.
type Heal struct {
	Root   string     `json:"root"`
	Issues int        `json:"issues"`
	Git    string     `json:"git"` // why git wasn't used, or ""
	Parts  []HealPart `json:"parts"`
	// Disagreements aren't Issues: they don't mean that a part is missing.
	Disagreements []Disagreement `json:"disagreements"`
	Recorded      string         `json:"recorded"` // trajectory with the record, or ""
}

// HealPart is a checked part of a ledger.
type HealPart struct {
	Part  heal.Part   `json:"part"`
	Path  string      `json:"path"`
	State heal.State  `json:"state"`
	Do    heal.Do     `json:"do"`   // restore, template, make, leave, or ""
	From  heal.Source `json:"from"` // HEAD, index, template, or ""
	With  heal.Part   `json:"with"` // the larger part that restores this one, or ""
	Files []string    `json:"files"`
	Named []string    `json:"named"` // evidence for a missing part: "git has it"
	Why   []string    `json:"why"`
}

// Noted is a planned or written entry.
type Noted struct {
	Kind    notes.EntryKind `json:"kind"`
	Root    string          `json:"root"`
	Path    string          `json:"path"` // NOTES.md; "" for a comment of a bead
	Bead    string          `json:"bead"`
	Section string          `json:"section"`
	New     bool            `json:"newSection"`
	Line    int             `json:"line"` // 0 for a comment of a bead
	Text    string          `json:"text"` // lines of the entry
	At      out.Time        `json:"at"`   // time in the entry
}

// Saved is a planned or written session document.
type Saved struct {
	Path    string `json:"path"`
	Context string `json:"context"` // active-context.md; "" if unchanged
	Session string `json:"session"`
	Bytes   int    `json:"bytes"`
	Text    string `json:"text,omitempty"` // only with --dry-run
}

// Handover is a planned or written handover.
type Handover struct {
	Value  *handover.Handover `json:"value"` // as --from reads it
	Writes []HandedTo         `json:"writes"`
	Off    []NotHandedTo      `json:"off"` // unused stores
}

// HandedTo is a store that gets a handover.
type HandedTo struct {
	Store   stores.Name `json:"store"`
	Path    string      `json:"path"`
	New     bool        `json:"new"`     // created
	Changed bool        `json:"changed"` // false if the file has everything, or after a problem
	Bytes   int         `json:"bytes"`   // size of the new text or, for a trajectory, of the new line
	Lost    []string    `json:"lost"`    // parts that the store can't represent
	Problem string      `json:"problem"` // why the file isn't changed, or ""
}

// NotHandedTo is a store that gets no handover.
type NotHandedTo struct {
	Store stores.Name `json:"store"`
	Why   string      `json:"why"`
}
