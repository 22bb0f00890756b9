package survey

import (
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/truth"
)

// Ledger has the facts about the ledger of a project.
type Ledger struct {
	Dir     string // folder that the caller asked for
	Project ledger.Project
	None    bool         // neither NOTES.md nor a bead exists
	Notes   *notes.Notes // nil if missing or unreadable (see Trouble)
	Trouble string       // one or two sentences: the problem, and what to do
	Written time.Time    // modification time of NOTES.md
	Checked []recovery.Checked
	// Evidence maps a decision's pieces of evidence to the results of their checks.
	Evidence map[Backing]ledger.Check
	Beads    *beads.Graph
	BeadsBad string    // why the beads can't be read, else ""
	Staged   time.Time // when the recovery for the next start was staged; zero if none
	StagedN  int       // number of tokens of the staged recovery
	At       time.Time // time of the look-up
	// Truth lists the disagreements between the sources, if they were compared.
	Truth    truth.Report
	Problems []string // problems of the config, and why the database of the beads wasn't asked: one sentence each
	// Missing lists the parts that heal restores, one sentence each. Finding them runs git, so the caller sets
	// Missing.
	Missing []string
}

// Backing identifies a piece of evidence in NOTES.md. A line can have several.
type Backing struct {
	Line       int // line number in NOTES.md
	Ref, Quote string
}

// BackingOf returns the Backing of a piece of evidence.
func BackingOf(e *notes.Evidence) Backing { return Backing{e.Line, e.Ref.Raw, e.Quote} }
