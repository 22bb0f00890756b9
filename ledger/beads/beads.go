// Package beads reads the task graph of a project (spec 002) and never writes it. It reads .beads/issues.jsonl of br
// (beads_rust) or bd, the YAML beads of the spec, and the database of br or bd.
//
// A line that isn't a bead is skipped and reported. The package reads no clock.
package beads

import "time"

// MaxFile is the maximum size of issues.jsonl in bytes. The largest known file has 6 MB.
const MaxFile = 64 << 20

// Graph has the beads of a project. The zero value has no beads. A Graph doesn't change after Read.
type Graph struct {
	// Beads has the open beads: first those of issues.jsonl, then those of YAML files. Find and Closed return closed
	// beads.
	Beads    []Bead
	Problems []Problem // the first 100, and one with the number of further problems
	Shape    string    // the program that wrote the beads: br, bd, yaml or mixed; "" if there are no beads
	Memories []Memory  // notes of `bd remember`, in the order of the file
	Database bool      // the beads were read from the database of br or bd
	// Note says why beads may be outdated; "" if they are up to date.
	Note string

	shut    []shut         // closed beads and tombstones, in the order of the file
	closed  int            // number of closed beads, without tombstones
	at      map[string]int // ID → index in Beads, or ^index in shut
	file    string         // the file that contains the lines of shut
	decoded int            // number of decoded lines, for tests
}

// Problem is a line or a file that can't be read.
type Problem struct {
	File string
	Line int // from 1; 0 for the whole file
	What string
}

// Memory is a note that isn't part of a bead: a line with "_type":"memory" (bd remember).
type Memory struct {
	Key, Text string
	File      string
	Line      int // from 1; 0 the database
}

// Bead is one task.
type Bead struct {
	ID          string
	Title       string
	Description string
	Status      string // such as open, in_progress, blocked, deferred, closed, tombstone or pinned
	Priority    int    // 0 is the highest
	Type        string
	Assignee    string
	Labels      []string
	Created     time.Time
	Updated     time.Time
	Closed      time.Time
	Defer       time.Time // deferred until this time; zero: not deferred
	Hidden      bool      // never ready: pinned, ephemeral, a template, or -wisp- in the ID
	Template    bool      // blocks nothing
	Deps        []Dep
	Comments    []Comment
	Decisions   []Decision // from YAML and DECISION: comments
	Handoffs    []Handoff  // from YAML and HANDOFF: comments
	Scenarios   []Scenario
	Next        []string
	Blockers    []string
	Questions   []string
	File        string
	Line        int // from 1; 0 the database
}

// Dep is a dependency of a bead on another bead.
type Dep struct {
	On   string
	Type string // blocks, parent-child, conditional-blocks, waits-for, related, …
}

// Comment is a comment of a bead.
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

	comment bool // from a comment, in which the quote is optional
}

// Evidence is an entry of evidence[].
type Evidence struct {
	Path  string // as written
	Line  int
	Quote string
	To    int // last line of a range; 0 for a single line
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

// Finding is a requirement of the spec that a bead misses.
type Finding struct {
	Bead  string
	Field string // such as handoffs[1].grounding_ratio
	What  string // one sentence
	Block bool   // whether this prevents closing the bead
}
