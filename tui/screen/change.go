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
	Past string         // for ChangeUndo: ID of the change to undo; if "", the latest change of Dir that can be undone
	Dir  string         // folder of the project; for ChangeUndo, "" means any project
	Note *notes.Entry   // for ChangeNote: the entry to add
	Bead bool           // for ChangeNote: also write the entry to its bead with br
	Text string         // for ChangeStage: text that the next session prints when it starts; "" to unstage

	Export *ExportAs // for ChangeExport: how to write the file

	// For ChangeHandover: the handover as shown; nil to fill one.
	Handover *Handover

	Gate    *gate.Report  // for ChangeHandover: the gate that passed; nil if none was run
	Finding *gate.Finding // for ChangeEvidence: the finding whose fix should be applied
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeDiscard ChangeKind = "discard" // move backups to the trash of their project
	ChangeDelete  ChangeKind = "delete"  // move sessions to the trash of their config directory
	// Restore transcripts from backups; if the ID of a single one is in use, it gets a new ID.
	ChangeRestore ChangeKind = "restore"
	ChangeVerify  ChangeKind = "verify" // only verify, and write nothing; the plan is the result
	ChangeUndo    ChangeKind = "undo"
	ChangeSave    ChangeKind = "save"   // save a session as a document
	ChangeNote    ChangeKind = "note"   // add an entry to the ledger
	ChangeStage   ChangeKind = "stage"  // stage a recovery for the next start of a session
	ChangeExport  ChangeKind = "export" // write a conversation into a new file

	ChangeHandover ChangeKind = "handover" // write the state of the work into the stores of a project
	ChangeEvidence ChangeKind = "evidence" // apply the fix of a finding to its line of NOTES.md

	// These changes are those of the commands with the same names. Their plan is a report if there is nothing to write.

	ChangeDelta ChangeKind = "delta"      // write the findings of a session into the ledger
	ChangeForks ChangeKind = "fork-check" // record the decisions of a session that contradict the ledger
	ChangeHeal  ChangeKind = "heal"       // restore missing parts of the ledger
	ChangeLint  ChangeKind = "lint"       // correct the path identifiers of NOTES.md
)

// ExportAs describes the file of a ChangeExport.
type ExportAs struct {
	Format string // md, html, json or jsonl
	Redact bool   // mask secrets, e-mail addresses and home directories
	File   string // as the user typed it: absolute, below ~, or below the current directory
}

// Plan describes what a change would do. A dialog shows the whole plan.
type Plan struct {
	Change Change // the change that is planned
	Title  string // such as "Discard"
	About  string // such as "2 backups in 2 projects"
	Parts  []change.Part
	// Label of the key enter, such as "discard 2"; "" if there is nothing to do, and then Parts has the reason.
	Verb    string
	Command string  // shell command that does the same; "" if there is none
	Wrong   []Wrong // for ChangeNote: errors in the entry
	// For a discard: other files that are removed with the rows; their rows disappear without a message.
	Leaves []string
	Held   any // data for the implementation of Do
}

// Wrong is an error in a field of an entry.
type Wrong struct {
	Field string // name of the field in spec 002, such as rationale or evidence[1].quote
	Why   string
}

// Done is the result of carrying out a plan.
type Done struct {
	Said string // what was done, in one or two sentences
	But  string // what failed; "" if nothing failed
}

// PastAction is an entry of the list of actions that can be undone.
type PastAction struct {
	ID    string
	When  string // time in the format of the list
	What  string // such as "Discarded 2 backups"
	Where string // projects of the action in the format of the list
	Can   string // whether it can be undone: "yes", "no, trash emptied", "undone at 18:50"
	Off   bool   // it can't be undone
	Back  bool   // it has been undone already
	Step  bool   // the action is itself an undo, which the key u skips
	// Elsewhere means that the action belongs to another project than the one in which the browser was started. While
	// the browser lists only its own project, the key u skips such an action.
	Elsewhere bool
	Parts     []change.Part // what undoing would do, or why undoing isn't possible
}
