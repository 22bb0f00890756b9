// Package gate implements the synthesis checkpoint of spec 002: checks before a context is wiped. It turns facts about the
// trajectory, NOTES.md and the beads into a report of steps, and finds decisions that contradict the ledger.
//
// Run and Forks are pure: they read no file and no clock, and write nothing.
package gate

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Mode is the set of steps to run.
type Mode string

// The modes. Steps have the same numbers in both.
const (
	Simplified Mode = "simplified" // steps 1 to 3, before /compact
	Full       Mode = "full"       // all 7, before /clear
)

// Status is the result of a step.
type Status string

// The statuses.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"    // the step fails and blocks: the gate is rejected
	Warning Status = "warn"    // the step fails and doesn't block
	Off     Status = "off"     // disabled by the config
	Unknown Status = "unknown" // the step couldn't be checked
)

// Verdict is the result of the gate.
type Verdict string

// The verdicts, with exit codes 0, 1 and 2 of `continuo gate`.
const (
	Passed   Verdict = "passed"
	Rejected Verdict = "rejected"
	Unsure   Verdict = "unknown" // something couldn't be checked; with strict enforcement this blocks
)

// Report is the result of Run.
type Report struct {
	Mode        Mode
	Enforcement ledger.Enforcement
	Source      string   // the config key of the enforcement; "" the default
	Agent       string   // agent of the records that continuo writes
	Judged      string   // the only agent whose claims were judged; "" all agents
	Agents      []string // agents that logged the claims
	Day         string   // day of the trajectory, 2026-02-06
	At          time.Time
	Steps       []Step
	Verdict     Verdict
	Ratio       float64 // share of grounded claims; 1 without claims
	Threshold   float64
	Tally       Tally    // counts of the claims
	Original    Tally    // the claims as the script of spec 002 counts them: by the text of lines
	Scenarios   int      // test scenarios, each once
	Decisions   int      // number in the decision log
	Bead        string   // ID of the current bead; "" none
	Remarks     []string // one sentence each, such as a bad line of the config
}

// Step is the result of one check.
type Step struct {
	N        int    // 1 to 7
	Name     string // Grounding
	Status   Status
	Blocks   bool     // a failure rejects this run
	Figure   string   // the count: 0.97 (needs 0.95)
	Note     string   // shown at the right: 38 of 39 claims cite a source
	More     []string // further lines, one sentence each
	Original []string // result of the spec's script, if it differs, one sentence each
	Findings []Finding
	Left     int // number of unlisted findings
	Lost     int // for the decision log: decisions with missing evidence

	leftHard int // number of unlisted findings that aren't mild
}

// Finding is a problem that a step found, and its fix.
type Finding struct {
	Title string    // title of the decision or claim
	When  time.Time // zero unknown
	Ref   string    // identifier as written; "" none
	What  string    // the problem
	Fix   string    // what to do
	File  string    // absolute path of the file to fix; "" none
	Line  int       // line number in File
	// Was and Now describe a fix that can be applied: replace Was in Line with Now, once. Both are "" if there is no
	// such fix.
	Was, Now string
	Mild     bool // doesn't fail the step: evidence that moved within its file
}

// Remarks returns all further lines: More, then Original.
func (s *Step) Remarks() []string { return slices.Concat(s.More, s.Original) }

// Exit returns the exit code of the command: 0 passed, 1 rejected, 2 couldn't be checked.
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

// Count returns the number of steps with a status.
func (r *Report) Count(s Status) int {
	n := 0
	for i := range r.Steps {
		if r.Steps[i].Status == s {
			n++
		}
	}
	return n
}
