// Package gate implements the synthesis checkpoint of spec 002, a check before a context is wiped. The input is facts
// about the trajectory, NOTES.md and the beads. The result is a report with up to seven steps. The package also finds
// decisions of a session that contradict the ledger.
//
// It writes nothing and reads no clock. Only ReadSession reads a file, a transcript.
package gate

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Mode says which steps run.
type Mode string

// The modes. A step has the same number in both modes.
const (
	Simplified Mode = "simplified" // steps 1 to 3, before /compact
	Full       Mode = "full"       // all 7, before /clear
)

// Status is the result of a step.
type Status string

// The statuses.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"    // the step fails and blocks, so the gate is rejected
	Warning Status = "warn"    // the step fails but doesn't block
	Off     Status = "off"     // the config has disabled the step
	Unknown Status = "unknown" // the step could not be checked
)

// Verdict is the result of the gate.
type Verdict string

// The verdicts. For them, `continuo gate` exits with 0, 1 and 2.
const (
	Passed   Verdict = "passed"
	Rejected Verdict = "rejected"
	Unsure   Verdict = "unknown" // something could not be checked; with strict enforcement, this blocks too
)

// Report is the result of Run.
type Report struct {
	Mode        Mode
	Enforcement ledger.Enforcement
	Source      string   // the config key that sets the enforcement; "" for the default
	Agent       string   // the agent of the records that continuo writes
	Judged      string   // the only agent whose claims were judged; "" for all agents
	Agents      []string // agents that logged the claims
	Day         string   // day of the trajectory, such as 2026-02-06
	At          time.Time
	Steps       []Step
	Verdict     Verdict
	Ratio       float64 // share of the claims that are grounded; 1 if there are no claims
	Threshold   float64
	Tally       Tally    // counts of the claims
	Original    Tally    // counts of the original script of spec 002
	Scenarios   int      // number of different test scenarios
	Decisions   int      // number of decisions in the decision log
	Bead        string   // ID of the current bead; "" if there is none
	Remarks     []string // sentences, for example about a wrong line in the config
}

// Step is a check with its result.
type Step struct {
	N        int    // number of the step, from 1 to 7
	Name     string // such as "Grounding"
	Status   Status
	Blocks   bool     // a failure of this step rejects the gate
	Figure   string   // a count or ratio, such as "0.97 (needs 0.95)"
	Note     string   // text at the right, such as "38 of 39 claims cite a source"
	More     []string // further lines, each a sentence
	Original []string // sentences about the original script; empty if its result is the same
	Findings []Finding
	Left     int // number of findings that aren't listed
	Lost     int // step 3: number of decisions without their evidence in the code

	leftHard int // number of unlisted findings that fail the step
}

// Finding is a problem that a step found, and its fix.
type Finding struct {
	Title string    // title of the decision or claim
	When  time.Time // zero if unknown
	Ref   string    // the code reference as written; "" if there is none
	What  string    // the problem
	Fix   string    // how to fix it
	File  string    // absolute path of the file to fix; "" if there is none
	Line  int
	// Was and Now are a fix that can be applied: replace Was by Now once in Line. Both may be "".
	Was, Now string
	Mild     bool // the finding doesn't fail the step; quoted code only moved
}

// Remarks returns More and Original.
func (s *Step) Remarks() []string { return slices.Concat(s.More, s.Original) }

// Exit returns the exit code of the command: 0 for passed, 1 for rejected, 2 for unknown.
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
