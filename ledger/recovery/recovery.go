// Package recovery selects what to read first after a context wipe (spec 002, Tiered Ledger Recovery). The text comes
// from all stores of a project and fits in a budget of tokens. Level 1 is about the current work, level 2 about one
// topic, and level 3 about everything. If two stores disagree, the truth hierarchy decides, and the other line is
// marked as superseded. Otherwise, the newest comes first. The package joins notes, beads and handovers, and reads no
// files.
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

// Level is how much is recovered.
type Level int

// The levels.
const (
	// About 200 tokens: the state, the bead, three decisions, the next items, open questions, identifiers.
	Where Level = 1
	Topic Level = 2 // about 500 tokens: the decisions and sections that match a query
	All   Level = 3 // the whole NOTES.md
)

// RunesPerToken is the estimated number of runes in a token (spec 002, context-manager.sh: 4 characters).
const RunesPerToken = 4

// The default budgets of levels 1 and 2 in tokens (spec 002: session_continuity.level1_tokens, level2_tokens). The
// spec has 100 for level 1, which is too little for three decisions with their texts and for several stores.
const (
	level1Tokens = 200
	level2Tokens = 500
)

// Tokens returns the estimated number of tokens in a text. It divides the number of runes by RunesPerToken and
// rounds up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + RunesPerToken - 1) / RunesPerToken }

// Facts is the input of Recover.
type Facts struct {
	Held    []handover.Held // handovers of all stores, newest first, with those of Notes and Beads
	Notes   *notes.Notes    // nil if it is missing, or if Trouble says why it can't be read
	File    string          // path of NOTES.md relative to the root
	Trouble string          // one sentence; "" if there is none
	// Troubles are the problems with other stores, one sentence each.
	Troubles []string
	Beads    *beads.Graph // nil if there are none
	Bead     *beads.Bead  // the current bead; nil means that findBead chooses it
	// Check checks an identifier and its quote. nil means that identifiers aren't checked. Check may read a file, so
	// it is called only for identifiers that may be output.
	Check func(ref ledger.Ref, quote string) ledger.Check
	// Instead has the sources that replace a missing NOTES.md, best first: the last session, backups.
	Instead []Source
	Now     time.Time
	// Found has the results of another search (ck), best first. nil means that the search of this package is used.
	Found    []Hit
	FoundBy  string
	Prompted string // the last prompt of the project, which is the default query
}

// Checked is an identifier and the result of checking it.
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

// Source is a text that is not a ledger: a document, a backup or a session.
type Source struct {
	Kind string // document, backup or session
	Name string // name for users
	Path string
	When time.Time
	Text string // "" means that only Name is shown

	held *handover.Held // of a document
}

// Ask says what Recover should do.
type Ask struct {
	Level Level
	// Query is the query of level Topic; "" means Facts.Prompted. If both are "", the newest entries are returned.
	Query string
	Max   int // maximum number of tokens; 0 means the budget
	// Level1 and Level2 are the budgets of these levels in tokens, from the config; 0 means the default. Level 3 has
	// no budget.
	Level1, Level2 int
}

// Part is a part of a Result.
type Part struct {
	Name  string // such as "Session continuity" or "Decisions"
	Note  string // such as "3 of 14 match"; "" if there is none
	Head  bool   // Result.Text has Name and Note as a heading
	Lines []Line
}

// Line is a line of a part.
type Line struct {
	Lead string // a label or a date before the text; screens that show When leave it out
	Text string
	When time.Time
	// Match has the byte ranges of Text that match the query.
	Match [][2]int
	Check *ledger.Check // the result of checking an identifier; nil for other lines
	Ref   *ledger.Ref
	Open  bool            // the line is a question
	Marks []handover.Mark // the stores that have the line; empty at level 3 and for sessions
	Old   bool            // superseded: a higher store contradicts the line
}

// Mark returns the marks of a line as letters, such as "NB".
func (l *Line) Mark() string { return string(l.Marks) }

// String returns a line as it is in Result.Text.
func (l *Line) String() string {
	if len(l.Marks) == 0 {
		return l.Lead + l.Text
	}
	return l.Lead + l.Text + " [" + l.Mark() + "]"
}

// Left counts the entries of a kind that are left out.
type Left struct {
	What    string // decisions, questions, items, identifiers, sections or lines
	N       int
	InNotes int // how many of them are in NOTES.md, and so in level 3
}

// Result is a recovery. Text has only whole lines and at most Budget tokens.
type Result struct {
	Level   Level
	Query   string
	Tokens  int // number of tokens in Text
	Budget  int // 0 if there is no budget
	Text    string
	Parts   []Part // the content of Text, for a screen
	Legend  string // the last line of Text, which explains the marks; "" if there are none or no room
	LeftOut []Left
	From    []string // the sources of the text, such as "NOTES.md", "bead br-x" or "document session-…"
	// Notes are remarks, each a sentence: for example that NOTES.md is missing and what was used instead.
	Notes []string
}

// Recover returns the recovery of a level. Without notes, it uses the other sources. A level out of range becomes the
// nearest level. The time is linear in the size of the text.
func Recover(f *Facts, ask Ask) Result {
	level := min(max(ask.Level, Where), All)
	r := Result{Level: level, Budget: budgetOf(level, ask)}
	m := gather(f, level)
	r.Notes = append(r.Notes, m.remarks...)
	if level == All && m.notes != nil && m.task.Text != "" { // level 3 is NOTES.md byte for byte, so it has no other text
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

// budgetOf returns the budget of a level in tokens. 0 means that there is no limit.
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
