// Package beads reads the task graph of a project (spec 002): .beads/issues.jsonl as br (beads_rust) and bd write it, and
// the YAML beads of the spec where they are. It never writes: that is for br.
//
// A line that is no bead costs that line, and is counted. The package reads no clock.
package beads

import "time"

// MaxFile is the longest issues.jsonl that is read, in bytes; the longest seen has 6 MB.
const MaxFile = 64 << 20

// Graph are the beads of a project. The zero value is one without beads. A graph is not changed once it was read, so
// several may look at it at a time.
type Graph struct {
	// Beads are those that are not closed, in the order of the file, those of YAML files alone after them. Closed ones
	// are most of a file that is old: Find and Closed read them when they are asked for.
	Beads    []Bead
	Problems []Problem // the first of them; when there were more, the last one counts those
	Shape    string    // br, bd, yaml, mixed; "" there are none

	shut    []shut         // closed ones and tombstones, in the order of the file
	closed  int            // of them are no tombstones
	at      map[string]int // by id: where in Beads, or ^where in shut
	file    string         // that the lines of shut are in
	decoded int            // lines that were decoded to read it
}

// Problem is something that could not be read.
type Problem struct {
	File string
	Line int // from 1; 0 the whole file
	What string
}

// Bead is one task.
type Bead struct {
	ID          string
	Title       string
	Description string
	Status      string // raw: open, in_progress, blocked, deferred, closed, tombstone, pinned or another word
	Priority    int    // 0 is first
	Type        string
	Assignee    string
	Labels      []string
	Created     time.Time
	Updated     time.Time
	Closed      time.Time
	Defer       time.Time // not before; zero: none
	Hidden      bool      // pinned, ephemeral or a template: never ready
	Template    bool      // blocks nothing
	Deps        []Dep
	Comments    []Comment
	Decisions   []Decision // of the YAML, and of comments that begin with DECISION:
	Handoffs    []Handoff  // of the YAML, and of comments that begin with HANDOFF:
	Scenarios   []Scenario
	Next        []string
	Blockers    []string
	Questions   []string
	File        string
	Line        int
}

// Dep is that a bead depends on another.
type Dep struct {
	On   string
	Type string // blocks, parent-child, conditional-blocks, waits-for, related, …
}

// Comment is a comment, oldest first.
type Comment struct {
	Author string
	Text   string
	At     time.Time
}

// Decision is an entry of decisions[].
type Decision struct {
	At        time.Time
	Text      string
	Rationale string
	Evidence  []Evidence

	comment bool // it stood in a comment, where nobody writes a quote (spec 002, example)
}

// Evidence is an entry of evidence[].
type Evidence struct {
	Path  string // as written
	Line  int
	Quote string
}

// Handoff is an entry of handoffs[].
type Handoff struct {
	Session    string
	Ended      time.Time
	Notes      string
	Trajectory string
	Ratio      float64
	HasRatio   bool
}

// Scenario is an entry of test_scenarios[].
type Scenario struct{ Name, Type, Expected string }

// Finding is something that the spec requires of a bead and that it does not have.
type Finding struct {
	Bead  string
	Field string // handoffs[1].grounding_ratio
	What  string // one sentence
	Block bool   // it must not be closed like this; else it is a remark
}
