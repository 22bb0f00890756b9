// Package notes reads and extends NOTES.md (spec 002): it finds sections in all forms seen in real files, and the
// decisions, questions and identifiers in them. It inserts entries without changing any other byte.
//
// Headings are found as in Markdown: ATX headings (#) of levels 1 to 6, and lines underlined with =. A line underlined
// with - is a heading only if the line is the name of a section, because real files use --- as a rule. Fenced code,
// HTML comments, lists and front matter contain no headings. Lines may end in CRLF; inserted lines end like the lines
// around them. The package reads no file and no clock.
package notes

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Notes is a parsed NOTES.md.
type Notes struct {
	Text     []byte
	Sections []Section // in the order of the file; all levels
	CRLF     bool      // most lines end in CRLF

	str         string     // Text as a string; results are substrings of it
	decisions   []Decision // a decision that is a section has only the values of its heading, see Decisions
	filled      []Decision
	fillOnce    sync.Once
	questions   []Question
	identifiers []Identifier
	items       map[Kind][]Item
	continuity  Continuity
	open        int  // start of a fence or comment that is never closed; -1 none
	work        *int // number of bytes read during Parse, for tests; may be nil
}

// Kind is the subject of a section, from the first words of its heading, at any level and in any case.
type Kind string

// The kinds.
const (
	KindOther       Kind = ""
	KindContinuity  Kind = "continuity"  // Session Continuity…
	KindContext     Kind = "context"     // Active Context
	KindIdentifiers Kind = "identifiers" // Lightweight Identifiers
	KindDecisions   Kind = "decisions"   // Decision Log…, Decisions…, Key Decisions
	KindQuestions   Kind = "questions"   // Pending Questions, Open Questions
	KindGoals       Kind = "goals"       // Active Sub-Goals
	KindDebt        Kind = "debt"        // Discovered Technical Debt, Technical Debt
	KindBlockers    Kind = "blockers"    // Blockers…
	KindScenarios   Kind = "scenarios"   // Test Scenarios
	KindFocus       Kind = "focus"       // Current Focus
	KindLog         Kind = "log"         // Session Log
	KindLearnings   Kind = "learnings"   // Learnings
)

// Section is a heading with the text below it, up to the next heading of its level or a higher one.
type Section struct {
	Level  int
	Title  string // as written, without the marks
	Kind   Kind
	Parent int // index of the parent section, -1 none
	// Bytes of the text: the heading is at Start, its text from Body to End; Own is the start of its first subsection,
	// or End.
	Start, Body, Own, End int
	Line, Last            int // line numbers of the heading and the last line, from 1
	Count                 int // entries of its kind in it: decisions, open questions, identifiers, items of a list; -1 not counted
}

// Evidence is an identifier that supports a decision.
type Evidence struct {
	Ref   ledger.Ref
	Quote string // verbatim; "" none
	Line  int    // line number in NOTES.md
}

// Decision is one entry of a decision log, in any form: an H3 or H4 with a time, a table row, a bold paragraph, a list
// item, or a whole dated section.
type Decision struct {
	When      time.Time // zero unknown
	Day       bool      // When is a day only
	Title     string    // one line, without markup around it
	Decision  string    // Markdown; "" if Title has all of it
	Rationale string
	By        string
	Evidence  []Evidence
	Scenarios []string
	Section   int  // index of its outermost log; outside of logs, index of its own section
	Line      int  // line number, from 1
	Last      int  // its last line
	Blank     bool // an unfilled placeholder of the template

	body body // the text that must still be read; zero if there is none
}

// body is the text below a heading, in bytes, and the number of its first line.
type body struct{ lo, hi, num int }

// Question is an open question.
type Question struct {
	Text  string
	Done  bool
	Since time.Time // zero: not known
	Line  int
	Blank bool
}

// Identifier is a lightweight identifier: a file and lines, kept in place of their content.
type Identifier struct {
	Ref      ledger.Ref
	Quote    string
	Purpose  string
	Verified string // as written
	Line     int
	Blank    bool
}

// Item is an entry of a list or a table: a sub-goal, a debt, a blocker, a scenario.
type Item struct {
	Text string
	Done bool
	Line int
}

// Continuity holds the values of the newest Session Continuity.
type Continuity struct {
	Section    int       // index of the section; -1 none
	Bead       string    // ID of the current bead, "" none
	BeadText   string    // the text after the ID
	Checkpoint time.Time // the last checkpoint; zero unknown
	CheckedAs  string    // as written
	State      string    // reasoning state, one paragraph
	First      string    // first paragraph, or the newest row of a table as a sentence; no placeholders
	Older      int       // number of other Session Continuity sections
}

// Parse reads a NOTES.md. It accepts any bytes and takes linear time. Notes is safe for concurrent use; the results of
// its methods must not be changed.
func Parse(text []byte) *Notes { return parse(text, nil) }

// parse parses text. It adds the number of bytes that it reads to *work, unless work is nil.
func parse(text []byte, work *int) *Notes {
	n := &Notes{Text: text, str: string(text), items: map[Kind][]Item{}, work: work}
	n.CRLF = 2*bytes.Count(text, []byte("\r\n")) > bytes.Count(text, []byte("\n"))
	n.outline()
	n.decisions = n.readDecisions()
	for _, d := range n.decisions {
		for i := d.Section; i >= 0; i = n.Sections[i].Parent {
			n.count(i, KindDecisions, 1)
		}
	}
	for i, s := range n.Sections {
		_, in := n.inside(i, s.Kind)
		switch s.Kind {
		case KindOther, KindContinuity, KindContext:
		case KindDecisions:
			n.count(i, KindDecisions, 0)
		case KindQuestions:
			all := n.readQuestions(i)
			n.count(i, s.Kind, len(all))
			if !in {
				n.questions = append(n.questions, all...)
			}
		case KindIdentifiers:
			all := n.readIdentifiers(i)
			n.count(i, s.Kind, len(all))
			if !in {
				n.identifiers = append(n.identifiers, all...)
			}
		default:
			all := n.readItems(i)
			n.count(i, s.Kind, len(all))
			if !in {
				n.items[s.Kind] = append(n.items[s.Kind], all...)
			}
		}
	}
	n.continuity = n.readContinuity()
	if len(n.ofKind(KindIdentifiers)) == 0 {
		for _, i := range n.ofKind(KindContinuity) {
			n.identifiers = append(n.identifiers, n.named(i)...)
		}
	}
	n.work = nil
	return n
}

// count adds entries to the count of a section of the given kind.
func (n *Notes) count(i int, kind Kind, more int) {
	if s := &n.Sections[i]; s.Kind == kind {
		s.Count = max(s.Count, 0) + more
	}
}

// Decisions returns the decisions of all logs without placeholders, newest first. Decisions without a time come last,
// in the order of the file.
func (n *Notes) Decisions() []Decision {
	n.fillOnce.Do(func() {
		n.filled = slices.Clone(n.decisions)
		for i := range n.filled {
			n.filled[i] = n.read(n.filled[i])
		}
	})
	return n.filled
}

// read returns a decision with the fields from the text below its heading. It reads the text only once.
func (n *Notes) read(d Decision) Decision {
	b := d.body
	if d.body = (body{}); b.hi > 0 {
		d = n.fill(d, b.lo, b.hi, b.num)
	}
	return d
}

// DecisionTitles returns the same decisions as Decisions, but fields other than title, time and position may be
// missing. For a file of 200 KB this takes half of the time.
func (n *Notes) DecisionTitles() []Decision { return n.decisions }

// Questions returns the open questions in the order of the file, without placeholders.
func (n *Notes) Questions() []Question { return n.questions }

// Identifiers returns the identifiers of the identifier sections, else those of any Session Continuity.
func (n *Notes) Identifiers() []Identifier { return n.identifiers }

// Items returns the open entries of all sections of a kind, without placeholders and "None". Kinds with their own
// method, such as Questions, have no items.
func (n *Notes) Items(kind Kind) []Item { return n.items[kind] }

// Continuity returns the newest Session Continuity. If all sections have a time, the latest one is the newest, else the
// first in the file. The time of a section is that of its checkpoint or of the newest row of its table, or the day in
// its headings. A section that isn't filled in counts only if all others are empty too.
func (n *Notes) Continuity() Continuity { return n.continuity }
