// Package notes reads and extends NOTES.md (spec 002). It finds the sections in all forms of real files, and their
// decisions, questions and identifiers. It inserts entries without changing other bytes.
//
// Headings follow Markdown, with one exception. A line underlined with "-" must have the name of a section, because
// real files use "---" as a rule. Inserted lines end like the lines around them. The package reads no file and no
// clock.
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
	Sections []Section // sections of all levels, in the order of the file
	CRLF     bool      // most lines end in CRLF

	str         string     // Text as a string, of which results are parts
	decisions   []Decision // for a decision that is a section, only the values in its heading
	filled      []Decision
	fillOnce    sync.Once
	questions   []Question
	identifiers []Identifier
	items       map[Kind][]Item
	continuity  Continuity
	open        int  // start of an unclosed fence or comment; -1 if there is none
	work        *int // counts the bytes that Parse reads, for tests
}

// Kind is the subject of a section. Parse recognises it by the first words of the heading, at any level.
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

// Section is a heading and its text, up to the next heading of its level or a higher one.
type Section struct {
	Level  int
	Title  string // as written, without the marks of the heading
	Kind   Kind
	Parent int // index of the parent section; -1 if there is none
	// Start, Body and End are byte offsets of the heading, the text and the end. Own is the start of the first
	// subsection, or End.
	Start, Body, Own, End int
	Line, Last            int // line numbers of the heading and of the last line, from 1
	Count                 int // number of decisions, open questions, identifiers or list items; -1 if unknown
}

// Evidence is a code reference that supports a decision.
type Evidence struct {
	Ref   ledger.Ref
	Quote string // verbatim; "" if there is none
	Line  int    // line number in NOTES.md
}

// Decision is one entry of a decision log, in any form: a heading, a table row, a bold paragraph, a list item, or a
// whole section.
type Decision struct {
	When      time.Time // zero if unknown
	Day       bool      // When is a day without a time of day
	Title     string    // one line, without Markdown marks around it
	Decision  string    // Markdown; "" if Title contains the whole decision
	Rationale string
	By        string
	Evidence  []Evidence
	Scenarios []string
	Section   int  // index of the outermost log, or of the decision's own section
	Line      int  // line number, from 1
	Last      int  // number of the last line
	Blank     bool // whether this is a placeholder of the template

	body body // text that read hasn't parsed yet
}

// body is the text below a heading: its byte range, and the number of its first line.
type body struct{ lo, hi, num int }

// Question is an open question.
type Question struct {
	Text  string
	Done  bool
	Since time.Time // zero if unknown
	Line  int
	Blank bool
}

// Identifier is an entry of Lightweight Identifiers: a code reference with its purpose.
type Identifier struct {
	Ref      ledger.Ref
	Quote    string
	Purpose  string
	Verified string // as written
	Line     int
	Blank    bool
}

// Item is an entry of a list or a table, such as a sub-goal, a debt, a blocker or a scenario.
type Item struct {
	Text string
	Done bool
	Line int
}

// Continuity has the values of the newest Session Continuity.
type Continuity struct {
	Section    int       // index of the section; -1 if there is none
	Bead       string    // ID of the current bead; "" if there is none
	BeadText   string    // text after the bead ID
	Checkpoint time.Time // time of the last checkpoint; zero if unknown
	CheckedAs  string    // the last checkpoint as written
	State      string    // the reasoning state, as one paragraph
	First      string    // the first paragraph, or the newest row of a table, without placeholders
	Older      int       // number of other Session Continuity sections
}

// Parse parses any text as a NOTES.md, in linear time. Notes is safe for concurrent use if callers don't change its
// results.
func Parse(text []byte) *Notes { return parse(text, nil) }

// parse parses a text. If work isn't nil, it adds the number of read bytes to *work.
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

// count adds more to the count of a section of a kind.
func (n *Notes) count(i int, kind Kind, more int) {
	if s := &n.Sections[i]; s.Kind == kind {
		s.Count = max(s.Count, 0) + more
	}
}

// Decisions returns the decisions of all logs without placeholders, newest first. Those without a time come last.
func (n *Notes) Decisions() []Decision {
	n.fillOnce.Do(func() {
		n.filled = slices.Clone(n.decisions)
		for i := range n.filled {
			n.filled[i] = n.read(n.filled[i])
		}
	})
	return n.filled
}

// read returns a decision with the fields in the text below its heading.
func (n *Notes) read(d Decision) Decision {
	b := d.body
	if d.body = (body{}); b.hi > 0 {
		d = n.fill(d, b.lo, b.hi, b.num)
	}
	return d
}

// DecisionTitles returns Decisions with only titles, times and positions. It takes half the time.
func (n *Notes) DecisionTitles() []Decision { return n.decisions }

// Questions returns the open questions in the order of the file. It leaves out placeholders.
func (n *Notes) Questions() []Question { return n.questions }

// Identifiers returns the identifiers in all sections for identifiers. Without such sections, it searches any Session
// Continuity.
func (n *Notes) Identifiers() []Identifier { return n.identifiers }

// Items returns the open entries of all sections of a kind, without placeholders and words such as "None". It returns
// nil for a kind that has its own method, such as Questions.
func (n *Notes) Items(kind Kind) []Item { return n.items[kind] }

// Continuity returns the newest Session Continuity. If all have a time, it is the one with the latest time. Otherwise
// it is the first one. Empty ones come last.
func (n *Notes) Continuity() Continuity { return n.continuity }
