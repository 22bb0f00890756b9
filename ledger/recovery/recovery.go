// Package recovery selects the text that should be read first after a context wipe (spec 002, Tiered Ledger
// Recovery). The text comes from a ledger, and has at most a budget of tokens. It is about the current work, about
// one topic, or about everything. The package uses notes and beads. It reads no files.
package recovery

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Level is how much is recovered.
type Level int

// The levels.
const (
	// About 100 tokens: the reasoning state, the bead, the last checkpoint, three decisions, identifiers.
	Where Level = 1
	Topic Level = 2 // about 500 tokens: the decisions and sections that match a query
	All   Level = 3 // the whole NOTES.md
)

// RunesPerToken is the estimated number of runes in a token (spec 002, context-manager.sh: 4 characters).
const RunesPerToken = 4

// The default budgets of the levels 1 and 2, in tokens (spec 002: session_continuity.level1_tokens,
// level2_tokens).
const (
	level1Tokens = 100
	level2Tokens = 500
)

// Tokens returns the estimated number of tokens in a text. It divides the number of runes by RunesPerToken and
// rounds up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + RunesPerToken - 1) / RunesPerToken }

// Facts is the input of Recover.
type Facts struct {
	Notes   *notes.Notes // nil if it is missing, or if Trouble says why it can't be read
	File    string       // path of NOTES.md relative to the root
	Trouble string       // one sentence; "" if there is none
	Beads   *beads.Graph // nil if there are none
	Bead    *beads.Bead  // the current bead; nil means the bead that the notes name
	// Check checks the identifier of Notes that has an index. If Check is nil, identifiers aren't checked. It is
	// called only for identifiers that may be output, because it may read a file.
	Check func(i int) ledger.Check
	// Sources that are used if there is no NOTES.md, best one first: documents, backups, the last session.
	Instead []Source
	Now     time.Time
	Ago     func(now, then time.Time) string // returns an age in words, such as "3 h ago"; if nil, ages are left out
	// Results of another search (ck), best one first; if nil, the search of this package is used.
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

// Source is a source that is used if NOTES.md is missing.
type Source struct {
	Kind string // document, backup, bead or session
	Name string // name in the form for users
	Path string
	When time.Time
	Text string // if "", only Name is shown
}

// Ask says what Recover should do.
type Ask struct {
	Level Level
	// For Topic: the query; if "", it is Facts.Prompted, and if that is "" too, the newest entries are returned.
	Query string
	Max   int // maximum number of tokens; 0 means the budget
	// The budgets of the levels 1 and 2 in tokens, from the config; 0 means the default. Level 3 has no budget.
	Level1, Level2 int
}

// Part is a part of a Result.
type Part struct {
	Name  string // such as "Session continuity" or "Decisions"
	Note  string // such as "3 of 14 match"; "" if there is none
	Head  bool   // in Result.Text, Name and Note are the heading of the part
	Lines []Line
}

// Line is a line of a part. In Result.Text, it is Lead followed by Text.
type Line struct {
	Lead string // a label or a date before the text; a screen that shows When leaves it out
	Text string
	When time.Time
	// Match has the byte ranges of Text that match the query.
	Match [][2]int
	Check *ledger.Check // for an identifier: the result of checking it
	Ref   *ledger.Ref
	Open  bool // the line is a question
}

// Left says how many entries of a kind are left out.
type Left struct {
	What string // decisions, questions, identifiers, sections or lines
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
	Budget  int // 0 if there is no budget
	Text    string
	Parts   []Part // the same content as Text, for a screen
	LeftOut []Left
	From    []string // the sources of the text, such as "NOTES.md", "bead br-x" or "document session-…"
	// Remarks, each a sentence: for example that there is no NOTES.md, which fallback was used, or that ck was used.
	Notes []string
}

// Recover returns the recovery of a level. If there are no notes, it uses the other sources. If the level doesn't
// exist, Recover uses the nearest level. The time is linear in the size of the text.
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
