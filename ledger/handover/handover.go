// Package handover describes the state of work at the end of a session in one form for all specs. The package of each
// format (NOTES.md, session documents, beads, trajectory) stores some fields of a handover. Lost returns the fields
// that it can't store. The package does no I/O.
//
// Each line of a text is a paragraph. Blank lines and repeated blanks have no meaning.
package handover

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
)

// Handover is the state of a piece of work. The zero value of each field means unknown or none.
type Handover struct {
	When      time.Time   `json:"when,omitzero"`     // time of the handover; formats store whole seconds
	Session   string      `json:"session,omitempty"` // session ID
	Agent     string      `json:"agent,omitempty"`
	Git       Git         `json:"git,omitzero"`
	State     string      `json:"state,omitempty"` // how far the work is
	Done      []string    `json:"done,omitempty"`
	Items     []Item      `json:"items,omitempty"` // things to do, most important first
	Decisions []Decision  `json:"decisions,omitempty"`
	Questions []Question  `json:"questions,omitempty"`
	Refs      []Reference `json:"references,omitempty"`
	Tests     []Test      `json:"tests,omitempty"`
	Ran       Ran         `json:"ran,omitzero"`
	Gate      Gate        `json:"gate,omitzero"`
	Step      string      `json:"step,omitempty"`    // step of the plan or of the gate, such as 3 (spec 003)
	Outcome   string      `json:"outcome,omitempty"` // outcome of the session, as written: success, partial, failed (spec 003); completed, in-progress, blocked (spec 000)
	Resume    string      `json:"resume,omitempty"`  // how to resume the work
}

// Git is the state of the repository.
type Git struct {
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"` // hash, of any length
}

// Item is one thing to do, such as a bead, a sub-goal or a todo.
type Item struct {
	ID       string `json:"id,omitempty"`    // ID in the store of the item; "" if it has none
	Title    string `json:"title,omitempty"` // one line
	Status   Status `json:"status,omitempty"`
	Written  string `json:"written,omitempty"`  // the status as written; "" if the format has only a checkbox, or no status
	Priority string `json:"priority,omitempty"` // as written: 0 to 4, high, P1
	// Marks are the stores that have the item. At is the time of the status; zero if unknown. Lost ignores both
	// fields.
	Marks []Mark    `json:"stores,omitempty"`
	At    time.Time `json:"at,omitzero"`
}

// Mark is a store of items, as one letter. The trajectory has none, because its items come from other stores.
type Mark rune

// The marks.
const (
	MarkNotes    Mark = 'N' // NOTES.md
	MarkDocument Mark = 'D' // a session document or active-context.md
	MarkBead     Mark = 'B'
	MarkClient   Mark = 'C' // the task list of Claude Code
	MarkSnapshot Mark = 'S' // a snapshot of spec 004
	MarkTask     Mark = 'T' // a checkpoint of a task of spec 003
)

// Name returns the name of a store for users.
func (m Mark) Name() string {
	switch m {
	case MarkNotes:
		return "NOTES.md"
	case MarkDocument:
		return "document"
	case MarkBead:
		return "bead"
	case MarkClient:
		return "task of Claude Code"
	case MarkSnapshot:
		return "snapshot"
	case MarkTask:
		return "task"
	}
	return string(m)
}

// MarshalText returns the letter of a store.
func (m Mark) MarshalText() ([]byte, error) { return []byte(string(m)), nil }

// UnmarshalText reads the letter of a store.
func (m *Mark) UnmarshalText(text []byte) error {
	r, n := utf8.DecodeRune(text)
	if n == 0 || n != len(text) {
		return fmt.Errorf("%q: not the letter of a store", text)
	}
	*m = Mark(r)
	return nil
}

// Decision is a decision with its reason.
type Decision struct {
	When         time.Time  `json:"when,omitzero"`
	Title        string     `json:"title,omitempty"` // one line; "" if Text is used as the title, because it is short
	Text         string     `json:"text,omitempty"`
	Why          string     `json:"why,omitempty"`
	Evidence     []Evidence `json:"evidence,omitempty"`
	Alternatives []string   `json:"alternatives,omitempty"` // options that weren't chosen (spec 003)
}

// Headline returns the title of a decision, or its text if it has no title.
func (d *Decision) Headline() string {
	if d.Title != "" {
		return d.Title
	}
	return d.Text
}

// Evidence is the code that supports a decision.
type Evidence struct {
	Ref   ledger.Ref `json:"place"`
	Quote string     `json:"quote,omitempty"` // verbatim; "" if there is none
}

// Question is a question of the session.
type Question struct {
	Text   string `json:"text"`
	Answer string `json:"answer,omitempty"` // "" while the question is open
}

// Reference is a file, or some of its lines, to read before continuing.
type Reference struct {
	Ref     ledger.Ref `json:"place"`
	Purpose string     `json:"purpose,omitempty"`
}

// Test is a test scenario (spec 002, test_scenarios).
type Test struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"` // happy_path, edge_case, error_handling
	Expected string `json:"expected,omitempty"`
}

// Ran is the result of a test run (spec 003, tests).
type Ran struct {
	Passing int `json:"passing"`
	Failing int `json:"failing"`
	Pending int `json:"pending"`
}

// Gate is the result of the checks before a context wipe (spec 002), or the gate that was reached (spec 003).
type Gate struct {
	Name    string  `json:"name,omitempty"`    // G0 to G10
	Verdict string  `json:"verdict,omitempty"` // as written
	Ratio   float64 `json:"ratio,omitempty"`
	Counted bool    `json:"counted,omitempty"` // whether claims were counted; if not, Ratio is unknown
}
