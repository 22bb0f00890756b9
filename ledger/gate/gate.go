// Package gate holds the synthesis checkpoint of spec 002: what must hold before a context is wiped. It joins what was
// read of the trajectory, NOTES.md and the beads to a report of steps, and finds decisions that contradict the ledger.
//
// It is pure: facts in, report out. It reads no file and no clock, and writes nothing.
package gate

import (
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Mode is how much of the gate is run.
type Mode string

// The modes. Steps have the same numbers in both.
const (
	Simplified Mode = "simplified" // steps 1 to 3, before /compact
	Full       Mode = "full"       // all 7, before /clear
)

// Status is what a step came to.
type Status string

// The statuses.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"    // it blocks: the gate is not passed
	Warning Status = "warn"    // it does not hold, and does not block
	Off     Status = "off"     // the config has it off
	Unknown Status = "unknown" // it could not be checked
)

// Verdict is what the gate came to.
type Verdict string

// The verdicts, and the exit codes of `continuo gate`: 0, 1, 2.
const (
	Passed   Verdict = "passed"
	Rejected Verdict = "rejected"
	Unsure   Verdict = "unknown" // something could not be checked; in strict it blocks
)

// Report is what a run of the gate found.
type Report struct {
	Mode        Mode
	Enforcement ledger.Enforcement
	Source      string // the key of the config that said so; "" it is the default
	Agent       string // whose trajectory
	Day         string // of which day, 2026-02-06
	At          time.Time
	Steps       []Step
	Verdict     Verdict
	Ratio       float64 // of grounded claims; 1 without claims
	Threshold   float64
	Tally       Tally    // of the claims
	Original    Tally    // the same as the script of spec 002 counts it: by the text of lines
	Scenarios   int      // test scenarios, each once
	Decisions   int      // in the decision log
	Bead        string   // id of the one that is worked on; "" none
	Said        []string // what is to be known besides, one sentence each: a bad line of the config
}

// Step is one of the checks.
type Step struct {
	N        int    // 1 to 7
	Name     string // Grounding
	Status   Status
	Blocks   bool     // a failure of it rejects, in this run
	Figure   string   // what was counted: 0.97 of 0.95 needed
	Note     string   // what stands at the right: 38 of 39 claims cite a source
	More     []string // further lines, one sentence each
	Findings []Finding
	Left     int // findings that are not listed
	Lost     int // of the decision log: decisions that rest on what is not there

	leftHard int // of those, the ones that are not mild
}

// Finding is one thing that a step holds against the ledger, and what mends it.
type Finding struct {
	Title string    // of the decision or claim it is about
	When  time.Time // zero unknown
	Ref   string    // identifier as it is written; "" none
	What  string    // what is wrong
	Fix   string    // what to do
	File  string    // where to do it, absolute; "" nowhere in particular
	Line  int       // of File
	// Was and Now are of a fix that can be applied: the text in Line that is replaced, once, and by what. "" it cannot.
	Was, Now string
	Mild     bool // it does not keep the step from passing: evidence that has moved within its file
}

// Exit is the exit code of the command: 0 passed, 1 rejected, 2 it could not be checked.
func (r *Report) Exit() int {
	switch r.Verdict {
	case Passed:
		return 0
	case Rejected:
		return 1
	case Unsure:
	}
	return 2
}

// Count is how many steps came to a status.
func (r *Report) Count(s Status) int {
	n := 0
	for i := range r.Steps {
		if r.Steps[i].Status == s {
			n++
		}
	}
	return n
}
