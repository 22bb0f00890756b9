package screen

import (
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions"
)

// Change is what a person asks for.
type Change struct {
	Kind ChangeKind
	Rows []sessions.Row // that it is about, in the order of the list
	Past string         // of ChangeUndo: the action that is meant; "" the last one of Dir that can be taken back
	Dir  string         // of ChangeNote, ChangeStage, ChangeHandoff, ChangeEvidence and ChangeUndo: a folder of the project; of the last "" is all
	Note *notes.Entry   // of ChangeNote
	Bead bool           // of ChangeNote: it is written through br as well as it is to the bead that it names
	Text string         // of ChangeStage: what the next start of a session prints once; "" what is staged is taken away

	Gate    *gate.Report  // of ChangeHandoff: the report that was seen; nil: none was
	Finding *gate.Finding // of ChangeEvidence: the one whose fix is applied
}

// ChangeKind names a change.
type ChangeKind string

// The changes.
const (
	ChangeDiscard ChangeKind = "discard" // backups go to the trash of their project
	ChangeRestore ChangeKind = "restore" // a transcript is made of each backup, under its own id; where that is taken, the plan has the offer
	ChangeVerify  ChangeKind = "verify"  // writes nothing: its plan is the result
	ChangeUndo    ChangeKind = "undo"
	ChangeSave    ChangeKind = "save"  // a document is written from a session
	ChangeNote    ChangeKind = "note"  // something is added to the ledger of a project
	ChangeStage   ChangeKind = "stage" // a recovery is put where the next start of a session prints it

	ChangeHandoff  ChangeKind = "handoff"  // the gate is run, and its record of a handoff appended to the trajectory
	ChangeEvidence ChangeKind = "evidence" // the fix of a finding of the gate is applied to its line of NOTES.md
)

// Plan is what a change would do. The dialog draws exactly this.
type Plan struct {
	Change  Change // that it is the plan of
	Title   string // Discard
	About   string // 2 backups in 2 projects
	Parts   []change.Part
	Verb    string   // of enter: "discard 2"; "" there is nothing to do, and the parts say why
	Command string   // for a shell, that does the same; "" none
	Wrong   []Wrong  // of ChangeNote: why the entry is not taken
	Leaves  []string // files that go by it, besides the rows of a discard: they leave the list without a word
	Held    any      // what Do needs; of no meaning to anybody else
}

// Wrong is what is wrong with a field of an entry, in one sentence.
type Wrong struct {
	Field string // of spec 002, such as rationale or evidence[1].quote
	Why   string
}

// Done is what has become of a plan.
type Done struct {
	Said string // one sentence or two: what was done
	But  string // what was not, or went wrong besides; "" nothing
}

// PastAction is something that was done, by this program or a command.
type PastAction struct {
	ID    string
	When  string // as the list shows it
	What  string // "Discarded 2 backups"
	Where string // its projects
	Can   string // "yes", "no, trash emptied", "taken back at 18:50"
	Off   bool   // it cannot be taken back
	Back  bool   // it was
	Step  bool   // it is a step back itself: u passes it over
	// Elsewhere says that it was not done in the project that the browser was started in: u passes it over while only that
	// is listed.
	Elsewhere bool
	Parts     []change.Part // what taking it back does, or why it cannot be
}
