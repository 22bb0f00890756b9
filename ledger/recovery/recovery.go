// Package recovery selects the text to read first after a context wipe (spec 002, Tiered Ledger Recovery). It joins
// the notes, the beads and the handovers of all stores of a project. Level 1 is about the current work, level 2 about
// one topic, and level 3 about everything. The text fits into a budget of tokens. If two stores disagree, the truth
// hierarchy decides which line is superseded. The package reads no files.
package recovery

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Level is the amount of text to recover.
type Level int

// The levels.
const (
	// about 200 tokens about the current work
	Where Level = 1
	Topic Level = 2 // about 500 tokens that match a query
	All   Level = 3 // the whole NOTES.md
)

// RunesPerToken is the estimated number of runes in a token (context-manager.sh in spec 002).
const RunesPerToken = 4

// The default budgets of levels 1 and 2 in tokens. Spec 002 has 100 tokens for level 1, which is too little for three
// decisions.
const (
	level1Tokens = 200
	level2Tokens = 500
)

// Tokens returns the estimated number of tokens in a text, rounded up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + RunesPerToken - 1) / RunesPerToken }

// Facts is the input of Recover.
type Facts struct {
	Held    []handover.Held // handovers of all stores including Notes and Beads, newest first
	Notes   *notes.Notes    // nil without a readable NOTES.md
	File    string          // path of NOTES.md relative to the root
	Trouble string          // a sentence about a problem with NOTES.md; "" if there is none
	// Troubles has a sentence for each problem with another store.
	Troubles []string
	Beads    *beads.Graph // nil if there are none
	Bead     *beads.Bead  // the current bead; if nil, it is chosen
	// Check checks a code reference and its quote, and may read a file. If it is nil, references aren't checked.
	Check func(ref ledger.Ref, quote string) ledger.Check
	// Instead has the sources that replace a missing NOTES.md, best first.
	Instead []Source
	Now     time.Time
	// Found has the hits of another search program (ck), best first. If it is nil, the package searches.
	Found    []Hit
	FoundBy  string
	Prompted string // the last prompt of the project, the default query
}

// Checked is a code reference with the result of its check.
type Checked struct {
	notes.Identifier
	ledger.Check
}

// Hit is a result of another search.
type Hit struct {
	File       string
	From, To   int // range of lines
	Text       string
	Similarity float64
}

// Source is a text outside of the ledger: a document, a backup or a session.
type Source struct {
	Kind string // document, backup or session
	Name string // name for users
	Path string
	When time.Time
	Text string // if "", only Name is shown

	held *handover.Held // of a document
}

// Ask is the request for a recovery.
type Ask struct {
	Level Level
	// Query is the query of level 2. The default is Facts.Prompted. Without both, the newest entries are returned.
	Query string
	Max   int // maximum number of tokens; 0 means the budget
	// Level1 and Level2 are budgets in tokens, from the config. 0 means the default.
	Level1, Level2 int
}

// Part is a part of a Result.
type Part struct {
	Name  string // such as "Session continuity" or "Decisions"
	Note  string // such as "3 of 14 match"; "" if there is none
	Head  bool   // Result.Text has a heading with Name and Note
	Lines []Line
}

// Line is a line of a part.
type Line struct {
	Lead string // a label or a date before the text
	Text string
	When time.Time
	// Match has the byte ranges of Text that match the query.
	Match [][2]int
	Check *ledger.Check // result of the check of a code reference; nil for other lines
	Ref   *ledger.Ref
	Open  bool            // the line is a question
	Marks []handover.Mark // the stores that have the line; empty for level 3 and for sessions
	Old   bool            // whether a higher store contradicts the line
}

// Mark returns the letters of the line's stores, such as "NB".
func (l *Line) Mark() string { return string(l.Marks) }

// String returns a line as it is in Result.Text.
func (l *Line) String() string {
	if len(l.Marks) == 0 {
		return l.Lead + l.Text
	}
	return l.Lead + l.Text + " [" + l.Mark() + "]"
}

// Left is the number of omitted entries of a kind.
type Left struct {
	What    string // decisions, questions, items, identifiers, sections or lines
	N       int
	InNotes int // number of these entries in NOTES.md
}

// Result is the result of a recovery. Text has whole lines and at most Budget tokens.
type Result struct {
	Level   Level
	Query   string
	Tokens  int // number of tokens in Text
	Budget  int // 0 if there is no budget
	Text    string
	Parts   []Part // the content of Text, for a screen
	Legend  string // last line of Text, which explains the marks
	LeftOut []Left
	From    []string // the sources of the text, such as "NOTES.md", "bead br-x" or "document session-…"
	// Notes has remarks, each as a sentence, such as that NOTES.md is missing.
	Notes []string
}

// Recover returns the recovery of a level, in linear time. Other sources replace a missing NOTES.md. A level below 1
// counts as 1, and a level above 3 as 3.
func Recover(f *Facts, ask Ask) Result {
	level := min(max(ask.Level, Where), All)
	r := Result{Level: level, Budget: budgetOf(level, ask)}
	m := gather(f, level)
	r.Notes = append(r.Notes, m.remarks...)
	if level == All && m.notes != nil && m.task.Text != "" { // level 3 is NOTES.md byte for byte, without the task
		r.Notes = append(r.Notes, m.task.Text)
	}
	switch {
	case level == All && m.notes != nil:
		recoverAll(&r, m)
	case level == Topic:
		recoverTopic(&r, f, m, ask.Query)
	case level == All:
		recoverInstead(&r, m)
	default:
		recoverWhere(&r, m)
	}
	r.Tokens = Tokens(r.Text)
	return r
}

// budgetOf returns the budget of a level in tokens; 0 for none.
func budgetOf(level Level, ask Ask) int {
	switch {
	case ask.Max > 0:
		return ask.Max
	case level == Where:
		return cmp.Or(max(ask.Level1, 0), level1Tokens)
	case level == Topic:
		return cmp.Or(max(ask.Level2, 0), level2Tokens)
	}
	return 0
}
