// Package recovery makes of a ledger what is read first after a context wipe (spec 002, Tiered Ledger Recovery): where one
// was, what touches a topic, or everything, within a budget of tokens. It joins notes and beads, and reads nothing itself.
package recovery

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Level is how much is brought back.
type Level int

// The levels.
const (
	Where Level = 1 // about 100 tokens: reasoning state, bead, last checkpoint, three decisions, identifiers
	Topic Level = 2 // about 500: the decisions and sections that a query touches
	All   Level = 3 // NOTES.md as it stands
)

// RunesPerToken is how a token is estimated (spec 002, context-manager.sh: 4 characters).
const RunesPerToken = 4

// The budgets of the levels 1 and 2 in tokens (spec 002: session_continuity.level1_tokens, level2_tokens).
const (
	Level1Tokens = 100
	Level2Tokens = 500
)

// Tokens is the estimate for a text: its runes by four, rounded up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + RunesPerToken - 1) / RunesPerToken }

// Facts is what is known of a ledger when it is read.
type Facts struct {
	Notes   *notes.Notes // nil: there is none, or Trouble says why it cannot be read
	File    string       // NOTES.md below the root
	Trouble string       // one sentence; "" none
	Beads   *beads.Graph // nil: none
	Bead    *beads.Bead  // the one that is worked on; nil: that of the notes is looked for in Beads
	// Check looks where the identifier of Notes with an index leads; nil: that is not said. It is asked for those that may
	// be given, because each look may read a file.
	Check    func(i int) ledger.Check
	Instead  []Source // what else there is, best first: documents, backups, the last session
	Now      time.Time
	Ago      func(now, then time.Time) string // words for an age, such as "3 h ago"; nil: ages are not told
	Found    []Hit                            // of another search (ck), best first; nil: the own one
	FoundBy  string
	Prompted string // the last prompt of the project, for a query when none is given
}

// Checked is an identifier with what was found at it.
type Checked struct {
	notes.Identifier
	ledger.Check
}

// Hit is what another search found.
type Hit struct {
	File       string
	From, To   int // lines
	Text       string
	Similarity float64
}

// Source is something to recover from where there is no NOTES.md.
type Source struct {
	Kind string // document, backup, bead, session
	Name string // as it is shown
	Path string
	When time.Time
	Text string // what is recovered of it; "" it is only named
}

// Ask is what is asked for.
type Ask struct {
	Level Level
	Query string // of Topic; "" that of Facts.Prompted, and without one the newest
	Max   int    // tokens; 0: Budget
	// Budget of the levels 1 and 2, from the config; 0 the default. Level 3 has none.
	Level1, Level2 int
}

// Part is a piece of what is recovered.
type Part struct {
	Name  string // Session continuity, Decisions, …
	Note  string // 3 of 14 match; "" nothing to say
	Head  bool   // Name and Note stand above it in Result.Text, as a heading
	Lines []Line
}

// Line is one line of a part. In Result.Text it stands as Lead and Text.
type Line struct {
	Lead string // label or date in front of it; a screen that shows When leaves it out
	Text string
	When time.Time
	// Match are the byte ranges of Text that the query found.
	Match [][2]int
	Check *ledger.Check // of an identifier
	Ref   *ledger.Ref
	Open  bool // a question
}

// Left is what was left out, counted.
type Left struct {
	What string // decisions, questions, identifiers, sections, lines
	N    int
}

// Result is what is recovered. Text holds whole lines only, and at most Budget tokens of them.
type Result struct {
	Level   Level
	Query   string
	Tokens  int // of Text
	Budget  int // 0 none
	Text    string
	Parts   []Part // the same, for a screen
	LeftOut []Left
	From    []string // what it was made of: NOTES.md, bead br-x, document session-…
	Notes   []string // what is to be known besides, one sentence each: no NOTES.md, which fallback, ck asked
}

// Recover reads a level. It always has an answer: without notes it is made of what else there is. A level that there is
// not is read as the nearest one. What it takes is linear to the text.
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

// budgetOf is what a level may have, in tokens; 0 is no limit.
func budgetOf(level Level, ask Ask) int {
	switch {
	case ask.Max > 0:
		return ask.Max
	case level == Where:
		return cmp.Or(max(ask.Level1, 0), Level1Tokens)
	case level == Topic:
		return cmp.Or(max(ask.Level2, 0), Level2Tokens)
	}
	return 0
}
