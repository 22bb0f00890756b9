package screen

import (
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions"
)

// Change is a change that the user requests.
type Change struct {
	Kind ChangeKind
	Rows []sessions.Row // in the order of the list
	Past string         // for ChangeUndo: ID of the action to undo; "" for the last action in Dir that can be undone
	Dir  string         // root of the project; for ChangeUndo, "" stands for all projects
	Note *notes.Entry   // for ChangeNote: the entry to add
	Bead bool           // for ChangeNote: also add the entry to its bead, with br
	Text string         // for ChangeStage: text that the next session gets when it starts; "" to unstage the current text

	Export *ExportAs // for ChangeExport: the format and the file

	// For ChangeHandover: the handover on the screen; nil to create one.
	Handover *Handover

	Gate    *gate.Report  // for ChangeHandover: the gate that has passed; nil if none was run
	Finding *gate.Finding // for ChangeEvidence: the finding whose fix to apply
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeDiscard ChangeKind = "discard" // move backups to the trash of their project
	ChangeDelete  ChangeKind = "delete"  // move sessions to the trash of their config directory
	// Restore transcripts from backups. A single one gets a new ID if its own ID is in use.
	ChangeRestore ChangeKind = "restore"
	ChangeVerify  ChangeKind = "verify" // verify backups without writing anything; the plan is the report
	ChangeUndo    ChangeKind = "undo"
	ChangeSave    ChangeKind = "save"   // save a session as a document
	ChangeNote    ChangeKind = "note"   // add an entry to the ledger
	ChangeStage   ChangeKind = "stage"  // stage a recovery for the next session that starts
	ChangeExport  ChangeKind = "export" // write a conversation into a new file

	ChangeHandover ChangeKind = "handover" // write the state of the work into the stores of a project
	ChangeEvidence ChangeKind = "evidence" // apply the fix of a finding to its line of NOTES.md

	// The next changes do the same as the commands of these names. If there is nothing to write, their plan is a
	// report.

	ChangeDelta ChangeKind = "delta"      // write the findings of a session into the ledger
	ChangeForks ChangeKind = "fork-check" // record the decisions of a session that contradict the ledger
	ChangeHeal  ChangeKind = "heal"       // restore missing parts of the ledger
	ChangeLint  ChangeKind = "lint"       // correct code references in NOTES.md whose path is relative or absolute
)

// ExportAs has the format and the file of a ChangeExport.
type ExportAs struct {
	Format string // md, html, json or jsonl
	Redact bool   // mask secrets, e-mail addresses and home directories
	File   string // as typed by the user: an absolute path, a path below ~, or a path below the current directory
}

// Plan describes what a change would do.
type Plan struct {
	Change Change // the planned change
	Title  string // such as "Discard"
	About  string // the subject, such as "2 backups in 2 projects"
	Parts  []change.Part
	// Label of the key enter, such as "discard 2". It is "" if there is nothing to do; then Parts has the reason.
	Verb    string
	Command string  // equivalent shell command; "" if there is none
	Wrong   []Wrong // for ChangeNote: errors in the entry
	// For a discard: other files that disappear together with the rows. Their rows are removed without a message.
	Leaves []string
	Held   any // data for Changes.Do
}

// Wrong is an error in one field of a note.
type Wrong struct {
	Field string // name of the field in spec 002, such as rationale or evidence[1].quote
	Why   string
}

// Done is the result of a plan that was carried out.
type Done struct {
	Said string // what was done, in one or two sentences
	But  string // what failed; "" if nothing failed
}

// PastAction is an entry of the undo list.
type PastAction struct {
	ID    string
	When  string // time, formatted for the list
	What  string // description, such as "Discarded 2 backups"
	Where string // projects of the action, formatted for the list
	Can   string // whether it can be undone, such as "yes", "no, trash emptied" or "undone at 18:50"
	Off   bool   // it can't be undone
	Back  bool   // it was already undone
	Step  bool   // it is an undo, which the key u skips
	// Elsewhere means that the action wasn't in the project in which the browser was started. While the lists show only
	// that project, the key u skips the action.
	Elsewhere bool
	Parts     []change.Part // what an undo would do, or why it is impossible
}
