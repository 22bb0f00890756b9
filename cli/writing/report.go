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
	Backups  []ReportedBackup `json:"backups"`  // the backups in the plan
	Markers  []string         `json:"markers"`  // paths of the markers that are removed, restored or created
	Kept     []ReportedKept   `json:"kept"`     // backups that stay, because they are old or identical
	Made     []string         `json:"made"`     // paths of the new files
	Deleted  []string         `json:"deleted"`  // paths of the deleted files
	Entries  []string         `json:"entries"`  // IDs of the trash entries, which are arguments of backup undo
	Problems []string         `json:"problems"` // problems, one sentence each

	Sessions []ReportedSession `json:"sessions,omitempty"` // from delete and clean, and from the undo of them

	Document *Saved      `json:"document,omitempty"` // from save
	Handover *Handover   `json:"handover,omitempty"` // from handover
	Staged   *Staged     `json:"staged,omitempty"`   // the staged or removed recovery
	Note     *Noted      `json:"note,omitempty"`     // from note
	Lint     *out.Record `json:"lint,omitempty"`     // from notes lint --fix
	Delta    *Delta      `json:"delta,omitempty"`    // from delta
	Heal     *Heal       `json:"heal,omitempty"`     // from heal
	Snapshot *Snapshot   `json:"snapshot,omitempty"` // from snapshot save
	Task     *Tasked     `json:"task,omitempty"`     // from task
}

// Snapshot is a planned or written session-protocol.json.
type Snapshot struct {
	Path    string          `json:"path"`
	Backup  string          `json:"backup"`  // copy of the previous file if that couldn't be read; "" otherwise
	Session string          `json:"session"` // "" if there is no session
	Counts  snapshot.Counts `json:"counts"`
	Next    string          `json:"next"` // ID of the next task; "" if none
	Masked  int             `json:"masked"`
}

// Tasked is a planned or completed change of tasks.
type Tasked struct {
	Root        string               `json:"root"`
	Tasks       []string             `json:"tasks"`
	Session     string               `json:"session"` // the session that changes; "" from reap
	From        string               `json:"from"`    // previous state of the session
	State       string               `json:"state"`   // new state of the session
	Checkpoints []ReportedCheckpoint `json:"checkpoints"`
	Lacks       []string             `json:"lacks"`       // required fields that are missing
	Interrupted []string             `json:"interrupted"` // IDs of the sessions that reap suspends
	Evidence    []string             `json:"evidence"`    // lines of logs/session.log
	Repaired    []string             `json:"repaired"`    // files that an interrupted write left incomplete, and that were completed
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
	Path       string `json:"path"`       // "" until the backup is made
	Transcript string `json:"transcript"` // "" if the transcript is missing or unknown
	Session    string `json:"session"`
	Bytes      int64  `json:"bytes"`
	// Relation of the transcript to the backup, from comparing all bytes; "" if unknown.
	Relation sessions.Relation `json:"relation"`
}

// ReportedSession is a session in a plan.
type ReportedSession struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Trash    string `json:"trash"` // path of the transcript in the trash
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Reason   string `json:"reason"`   // from clean: empty, stub or duplicate
	OnlyCopy bool   `json:"onlyCopy"` // no backup has the whole session
}

// ReportedKept is a backup that stays, with the reason.
type ReportedKept struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Delta is a planned or written delta.
type Delta struct {
	Session   string       `json:"session"` // "" if there is no session
	Tokens    int64        `json:"tokens"`  // tokens in the context of the session; 0 if unknown
	Level     string       `json:"level"`
	Last      out.Time     `json:"last"` // time of the previous delta
	Findings  []DeltaEntry `json:"findings"`
	Text      string       `json:"text"` // the lines of NOTES.md
	Line      int          `json:"line"`
	Section   string       `json:"section"`
	Forks     []string     `json:"forks"` // findings that are left out, because they contradict the ledger
	Known     int          `json:"known"`
	Left      int          `json:"left"`
	Bead      string       `json:"bead"` // the bead to which the comments are added
	File      string       `json:"file"` // path of the trajectory
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
	Line   int          `json:"line"` // line in NOTES.md; 0 if there is none
}

// Heal is the state of a ledger, with the planned or completed repairs.
type Heal struct {
	Root   string     `json:"root"`
	Issues int        `json:"issues"`
	Git    string     `json:"git"` // why git wasn't used; "" if git was used, or if nothing is missing
	Parts  []HealPart `json:"parts"`
	// The disagreements aren't in Issues, because they don't mean that a part is missing.
	Disagreements []Disagreement `json:"disagreements"`
	Recorded      string         `json:"recorded"` // trajectory with the record of the repair; "" if there is none
}

// HealPart is a checked part of a ledger.
type HealPart struct {
	Part  heal.Part   `json:"part"`
	Path  string      `json:"path"`
	State heal.State  `json:"state"`
	Do    heal.Do     `json:"do"`   // restore, template, make or leave; "" if nothing is done
	From  heal.Source `json:"from"` // HEAD, index or template; "" if there is no source
	With  heal.Part   `json:"with"` // the larger part with which this part is restored; "" if none
	Files []string    `json:"files"`
	Named []string    `json:"named"` // evidence for a missing part, such as "git has it"
	Why   []string    `json:"why"`
}

// Noted is a planned or written entry.
type Noted struct {
	Kind    notes.EntryKind `json:"kind"`
	Root    string          `json:"root"`
	Path    string          `json:"path"` // path of NOTES.md; "" for a comment of a bead
	Bead    string          `json:"bead"`
	Section string          `json:"section"`
	New     bool            `json:"newSection"`
	Line    int             `json:"line"` // 0 for a comment of a bead
	Text    string          `json:"text"` // the lines of the entry
	At      out.Time        `json:"at"`   // the time in the entry
}

// Saved is a planned or written session document.
type Saved struct {
	Path    string `json:"path"`
	Context string `json:"context"` // path of active-context.md; "" if the file doesn't change
	Session string `json:"session"`
	Bytes   int    `json:"bytes"`
	Text    string `json:"text,omitempty"` // only with --dry-run
}

// Handover is a planned or written handover.
type Handover struct {
	Value  *handover.Handover `json:"value"` // in the form that --from reads
	Writes []HandedTo         `json:"writes"`
	Off    []NotHandedTo      `json:"off"` // the stores that the project doesn't use
}

// HandedTo is a store to which a handover is written.
type HandedTo struct {
	Store   stores.Name `json:"store"`
	Path    string      `json:"path"`
	New     bool        `json:"new"`     // the file is created
	Changed bool        `json:"changed"` // false if the file already has everything, or after a problem
	Bytes   int         `json:"bytes"`   // size of the new text; for a trajectory, of the new line
	Lost    []string    `json:"lost"`    // parts of the handover that the store can't represent
	Problem string      `json:"problem"` // why the file isn't changed; "" if there is no problem
}

// NotHandedTo is a store to which the handover isn't written.
type NotHandedTo struct {
	Store stores.Name `json:"store"`
	Why   string      `json:"why"`
}
