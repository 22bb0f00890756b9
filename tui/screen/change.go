package screen

import (
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions"
)

// Change is a change that the user asks for.
type Change struct {
	Kind ChangeKind
	Rows []sessions.Row // in the order of the list
	Past string         // ChangeUndo: ID of the change to undo; "" for the latest one of Dir that can be undone
	Dir  string         // folder of the project; for ChangeUndo "" means any project
	Note *notes.Entry   // ChangeNote: the entry
	Bead bool           // ChangeNote: also write the entry to its bead with br
	Text string         // ChangeStage: text that the next session prints at its start; "" to unstage

	Export *ExportAs // ChangeExport: how to write the file

	Gate    *gate.Report  // ChangeHandoff: the report that was shown, nil if there was none
	Finding *gate.Finding // ChangeEvidence: the finding whose fix to apply
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeDiscard ChangeKind = "discard" // move backups to the trash of their project
	ChangeDelete  ChangeKind = "delete"  // move sessions to the trash of their config directory
	ChangeRestore ChangeKind = "restore" // restore transcripts from backups; a single one gets a new ID if its ID is taken
	ChangeVerify  ChangeKind = "verify"  // write nothing; the plan is the result
	ChangeUndo    ChangeKind = "undo"
	ChangeSave    ChangeKind = "save"   // save a session as a document
	ChangeNote    ChangeKind = "note"   // add an entry to the ledger
	ChangeStage   ChangeKind = "stage"  // stage a recovery for the next start of a session
	ChangeExport  ChangeKind = "export" // write a conversation into a new file

	ChangeHandoff  ChangeKind = "handoff"  // run the gate and append the handoff to the trajectory
	ChangeEvidence ChangeKind = "evidence" // apply the fix of a finding to its line of NOTES.md
)

// ExportAs describes the file of a ChangeExport.
type ExportAs struct {
	Format string // md, html, json or jsonl
	Redact bool   // mask secrets, e-mail addresses and home directories
	File   string // as typed: absolute, below ~, or below the current directory
}

// Plan describes what a change would do. The dialog shows all of it.
type Plan struct {
	Change  Change // the planned change
	Title   string // "Discard"
	About   string // "2 backups in 2 projects"
	Parts   []change.Part
	Verb    string   // label of enter, such as "discard 2"; "" if there is nothing to do; Parts then has the reason
	Command string   // shell command that does the same; "" if there is none
	Wrong   []Wrong  // ChangeNote: errors in the entry
	Leaves  []string // other files removed with the rows of a discard; their rows disappear without a message
	Held    any      // data of the implementation of Do
}

// Wrong is an error in a field of an entry.
type Wrong struct {
	Field string // name in spec 002, such as rationale or evidence[1].quote
	Why   string
}

// Done is the result of carrying out a plan.
type Done struct {
	Said string // what was done, in one or two sentences
	But  string // what failed; "" if nothing did
}

// PastAction is an entry of the undo list.
type PastAction struct {
	ID    string
	When  string // time, formatted for the list
	What  string // "Discarded 2 backups"
	Where string // its projects, formatted for the list
	Can   string // "yes", "no, trash emptied", "undone at 18:50"
	Off   bool   // it can't be undone
	Back  bool   // it was already undone
	Step  bool   // it is an undo itself; the key u skips it
	// Elsewhere means that the action belongs to a project other than the one that the browser was started in. While
	// the browser lists only its own project, the key u skips the action.
	Elsewhere bool
	Parts     []change.Part // what undoing does, or why it isn't possible
}
