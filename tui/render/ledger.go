package render

import (
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/truth"
)

// Ledger is what is known of the ledger of a project, for the screen and for `continuo ledger`.
type Ledger struct {
	Dir     string // folder that was asked for
	Project ledger.Project
	None    bool         // there is neither NOTES.md nor a bead
	Notes   *notes.Notes // nil: there is none, or Trouble says why it cannot be read
	Trouble string       // one or two sentences, with what to do
	Written time.Time    // NOTES.md was, last
	Checked []recovery.Checked
	// Evidence is what was found at the evidence of the decisions.
	Evidence map[Backing]ledger.Check
	Beads    *beads.Graph
	BeadsBad string    // why they cannot be read
	Staged   time.Time // when a recovery was staged that no start has printed yet; zero: none
	StagedN  int       // its tokens
	At       time.Time // looked at
	// Truth is where its sources disagree; nothing where they were not compared.
	Truth    truth.Report
	Problems []string // what was found besides, one sentence each: a bad line of the config
}

// Backing names a piece of evidence in a NOTES.md: a line can have several.
type Backing struct {
	Line       int // in NOTES.md
	Ref, Quote string
}

// BackingOf is the name of a piece of evidence.
func BackingOf(e *notes.Evidence) Backing { return Backing{e.Line, e.Ref.Raw, e.Quote} }
