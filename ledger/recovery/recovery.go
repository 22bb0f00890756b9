// Package recovery selects from a ledger the text to read first after a context wipe (spec 002, Tiered Ledger Recovery):
// the current work, one topic, or everything, within a token budget. It uses notes and beads and reads no files.
package recovery

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Level is the amount of text to recover.
type Level int

// The levels.
const (
	Where Level = 1 // about 100 tokens: reasoning state, bead, last checkpoint, three decisions, identifiers
	Topic Level = 2 // about 500: the decisions and sections that match a query
	All   Level = 3 // all of NOTES.md
)

// RunesPerToken is the estimated length of a token in runes (spec 002, context-manager.sh: 4 characters).
const RunesPerToken = 4

// The default budgets of levels 1 and 2 in tokens (spec 002: session_continuity.level1_tokens, level2_tokens).
const (
	level1Tokens = 100
	level2Tokens = 500
)

// Tokens returns the estimated tokens of a text: its runes divided by RunesPerToken, rounded up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + RunesPerToken - 1) / RunesPerToken }

// Facts is the input of Recover.
type Facts struct {
	Notes   *notes.Notes // nil: missing, or Trouble says why it can't be read
	File    string       // NOTES.md below the root
	Trouble string       // one sentence; "" none
	Beads   *beads.Graph // nil: none
	Bead    *beads.Bead  // the current bead; nil: the bead named in the notes
	// Check checks the identifier of Notes with an index; nil: not checked. It is called only for identifiers that may be
	// output, because it may read a file.
	Check    func(i int) ledger.Check
	Instead  []Source // sources to use without NOTES.md, best first: documents, backups, the last session
	Now      time.Time
	Ago      func(now, then time.Time) string // returns an age in words, such as "3 h ago"; nil: no ages
	Found    []Hit                            // results of another search (ck), best first; nil: use the built-in one
	FoundBy  string
	Prompted string // the last prompt of the project, the default query
}

// Checked is an identifier with the result of its check.
type Checked struct {
	notes.Identifier
	ledger.Check
}

// Hit is a result of another search.
type Hit struct {
	File       string
	From, To   int // lines
	Text       string
	Similarity float64
}

// Source is a replacement for a missing NOTES.md.
type Source struct {
	Kind string // document, backup, bead, session
	Name string // name as shown
	Path string
	When time.Time
	Text string // "": only Name is shown
}

// Ask is the request to Recover.
type Ask struct {
	Level Level
	Query string // for Topic; "": Facts.Prompted is the query, and if that is empty too, the newest entries are returned
	Max   int    // tokens; 0: Budget
	// Budget of levels 1 and 2 in tokens, from the config; 0 the default. Level 3 has none.
	Level1, Level2 int
}

// Part is a part of a Result.
type Part struct {
	Name  string // Session continuity, Decisions, …
	Note  string // "3 of 14 match"; "" none
	Head  bool   // Result.Text has Name and Note as its heading
	Lines []Line
}

// Line is one line of a part. Result.Text has it as Lead and Text.
type Line struct {
	Lead string // label or date in front of it; a screen that shows When leaves it out
	Text string
	When time.Time
	// Match has the byte ranges of Text that match the query.
	Match [][2]int
	Check *ledger.Check // result for an identifier
	Ref   *ledger.Ref
	Open  bool // a question
}

// Left is a number of entries that were left out.
type Left struct {
	What string // decisions, questions, identifiers, sections, lines
	N    int
}

// InNotes reports whether the entries are in NOTES.md, so that level 3 has them.
func (l Left) InNotes() bool {
	switch l.What {
	case leftBead, leftMemories, leftHits, leftTexts:
		return false
	}
	return true
}

// Result is a recovery. Text has only whole lines, and at most Budget tokens.
type Result struct {
	Level   Level
	Query   string
	Tokens  int // number of tokens in Text
	Budget  int // 0 none
	Text    string
	Parts   []Part // the same content as Text, for a screen
	LeftOut []Left
	From    []string // its sources: NOTES.md, bead br-x, document session-…
	Notes   []string // remarks, one sentence each: no NOTES.md, the fallback used, ck used
}

// Recover returns the recovery of a level. Without notes it uses the other sources. An unknown level counts as the nearest
// known level. The time is linear in the size of the text.
func Recover(f *Facts, ask Ask) Result {
	level := min(max(ask.Level, Where), All)
	r := Result{Level: level, Budget: budgetOf(level, ask)}
	m := gather(f, level)
	r.Notes = append(r.Notes, m.remarks...)
	switch {
	case level == All && m.notes != nil:
		recoverAll(&r, m)
	case level == Topic:
		recoverTopic(&r, f, m, ask.Query)
	case m.notes == nil:
		recoverInstead(&r, m)
	default:
		recoverWhere(&r, m)
	}
	r.Tokens = Tokens(r.Text)
	return r
}

// budgetOf returns the budget of a level in tokens; 0 means no limit.
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
