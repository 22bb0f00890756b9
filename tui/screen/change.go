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
	Past string         // for ChangeUndo: ID of the action, or "" for the last one in Dir
	Dir  string         // root of the project; for ChangeUndo, "" means all projects
	Note *notes.Entry   // for ChangeNote: the entry to add
	Bead bool           // for ChangeNote: also add the entry to its bead
	Text string         // for ChangeStage: text for the next session; "" unstages

	Export *ExportAs // for ChangeExport: the format and the file

	// For ChangeHandover: the handover on the screen, or nil for a new one.
	Handover *Handover

	Gate    *gate.Report  // for ChangeHandover: the passed gate, or nil
	Finding *gate.Finding // for ChangeEvidence: the finding to fix
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeDiscard ChangeKind = "discard" // move backups to the trash of their project
	ChangeDelete  ChangeKind = "delete"  // move sessions to a trash
	// Restore transcripts from backups. A single transcript gets a new ID if its own ID is in use.
	ChangeRestore ChangeKind = "restore"
	ChangeVerify  ChangeKind = "verify" // verify backups; the plan is the report
	ChangeUndo    ChangeKind = "undo"
	ChangeSave    ChangeKind = "save"   // save a session as a document
	ChangeNote    ChangeKind = "note"   // add an entry to the ledger
	ChangeStage   ChangeKind = "stage"  // stage a recovery for the next session that starts
	ChangeExport  ChangeKind = "export" // write a conversation into a new file

	ChangeHandover ChangeKind = "handover" // write the state of the work into a project
	ChangeEvidence ChangeKind = "evidence" // apply the fix of a finding to NOTES.md

	// The next changes do what the commands of these names do. If there is nothing to write, their plan is a report.

	ChangeDelta ChangeKind = "delta"      // write the findings of a session into the ledger
	ChangeForks ChangeKind = "fork-check" // record decisions that contradict the ledger
	ChangeHeal  ChangeKind = "heal"       // restore missing parts of the ledger
	ChangeLint  ChangeKind = "lint"       // correct paths of code references in NOTES.md
)

// ExportAs has the format and the file of a ChangeExport.
type ExportAs struct {
	Format string // md, html, json or jsonl
	Redact bool   // mask secrets, e-mail addresses and home directories
	File   string // as typed: absolute, or below ~ or the current directory
}

// Plan describes what a change would do.
type Plan struct {
	Change Change // the planned change
	Title  string // such as "Discard"
	About  string // the subject, such as "2 backups in 2 projects"
	Parts  []change.Part
	// Label of the key enter, such as "discard 2". If there is nothing to do, it is "" and Parts has the reason.
	Verb    string
	Command string  // equivalent shell command, or ""
	Wrong   []Wrong // for ChangeNote: errors in the entry
	// For a discard: other files that disappear with the rows. Their rows are removed silently.
	Leaves []string
	Held   any // data for Changes.Do
}

// Wrong is an error in one field of a note.
type Wrong struct {
	Field string // name of the field in spec 002, such as evidence[1].quote
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
	Can   string // such as "yes", "no, trash emptied" or "undone at 18:50"
	Off   bool   // it can't be undone
	Back  bool   // it was already undone
	Step  bool   // it is an undo, which the key u skips
	// Elsewhere means that the action was in another project. While the lists show only the current project, the key u
	// skips the action.
	Elsewhere bool
	Parts     []change.Part // what an undo would do, or why it is impossible
}
