// Package beads reads the task graph of a project (spec 002): .beads/issues.jsonl as br (beads_rust) and bd write it, and
// the YAML beads of the spec where they are. It never writes: that is for br.
//
// A line that is no bead costs that line, and is counted. The package reads no clock.
package beads

import (
	"context"
	"errors"
	"time"
)

// MaxFile is the longest issues.jsonl that is read, in bytes; the longest seen has 6 MB.
const MaxFile = 64 << 20

// Graph are the beads of a project.
type Graph struct {
	Beads    []Bead // in the order of the file, YAML ones after those
	Problems []Problem
	Shape    string // br, bd, yaml, mixed; "" there are none
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

// Read reads the beads of a directory (.beads). Without one it is an empty graph. Errors are those of the whole file;
// what is wrong with a line is a Problem.
func Read(ctx context.Context, dir string) (*Graph, error) { return &Graph{}, errors.ErrUnsupported }

// Find is a bead by its id.
func (g *Graph) Find(id string) (*Bead, bool) { return nil, false }

// Ready are the beads that can be begun, as br ready has them: open or in progress, blocked by nothing that is open, not
// deferred, not hidden; by priority, then the oldest first.
func (g *Graph) Ready(now time.Time) []*Bead { return nil }

// InProgress are the beads that somebody is at, the one that was changed last first.
func (g *Graph) InProgress() []*Bead { return nil }

// Blocked are open beads with what they wait for.
func (g *Graph) Blocked(now time.Time) []*Bead { return nil }

// WaitsFor are the ids of the open beads that block one.
func (g *Graph) WaitsFor(b *Bead) []string { return nil }

// Finding is something that the spec requires of a bead and that it does not have.
type Finding struct {
	Bead  string
	Field string // handoffs[1].grounding_ratio
	What  string // one sentence
	Block bool   // it must not be closed like this; else it is a remark
}

// Check validates a bead as spec 002 does: required fields of decisions, handoffs and scenarios, the ratio of each
// handoff, at least so many scenarios before it is closed.
func (b *Bead) Check(minScenarios int, ratio float64) []Finding { return nil }

// ParseReady reads what `br ready --json` or `bd ready --json` prints, ParseShow what `show --json` does: an array, an
// object, or either in an envelope.
func ParseReady(out []byte) ([]Bead, error) { return nil, errors.ErrUnsupported }

// ParseShow is described with ParseReady.
func ParseShow(out []byte) (Bead, error) { return Bead{}, errors.ErrUnsupported }
