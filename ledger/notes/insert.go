package notes

import (
	"errors"
	"time"
)

// EntryKind is what is added to a ledger.
type EntryKind string

// The kinds of entries (spec 002: decisions[], questions[], next_steps[], handoffs[], test_scenarios[] of a bead).
const (
	EntryDecision EntryKind = "decision"
	EntryQuestion EntryKind = "question"
	EntryNext     EntryKind = "next"
	EntryHandoff  EntryKind = "handoff"
	EntryScenario EntryKind = "scenario"
)

// Entry is something to be added.
type Entry struct {
	Kind       EntryKind
	At         time.Time // UTC
	Title      string    // of a decision; its text, when it has no other
	Text       string    // decision, question, next step; name of a scenario
	Rationale  string
	Evidence   []Evidence
	Scenarios  []string
	Type       string // of a scenario: happy_path, edge_case, error_handling
	Expected   string // of a scenario
	Session    string // of a handoff
	NotesRef   string // of a handoff: grimoires/loa/NOTES.md:45-67
	Trajectory string // of a handoff
	Ratio      string // of a handoff: 0.97
	Bead       string // that it is about, "" none
}

// Missing is a required field that an entry does not have (spec 002, New Field Specifications).
type Missing struct {
	Field string // as the spec names it: evidence[].quote
	Why   string // one sentence: what is wrong with it
}

// Check lists what an entry lacks of what its kind requires: presence and form only, not what the code says.
func (e Entry) Check() []Missing { return nil }

// Insertion is where an entry goes: Text at byte At, everything else stays.
type Insertion struct {
	At      int
	Text    []byte
	Line    int    // of its first line, from 1
	Section string // heading it goes under
	Made    bool   // that section is made by it
}

// ErrNoPlace says that no place was found that leaves every other byte as it is.
var ErrNoPlace = errors.New("no place for the entry")

// Insert finds the place of an entry: inside the section of its kind (an existing one, in its own shape: a row for a
// table of decisions, a heading for the form of the spec), newest where the section has its newest; else a new section in
// the fallback place of the spec. A new file gets a title of its own.
func (n *Notes) Insert(e Entry) (Insertion, error) { return Insertion{}, ErrNoPlace }

// Apply is the text with the insertion in it.
func (i Insertion) Apply(text []byte) []byte { return text }

// Remove takes an inserted text out again. ok is false unless it is there exactly once, at the beginning of a line.
func Remove(text, inserted []byte) (now []byte, ok bool) { return text, false }
