// Package notes reads and extends NOTES.md (spec 002): its sections in every shape that is found in the wild, the
// decisions, questions and identifiers in them, and where something new goes so that every other byte stays.
//
// A heading counts wherever markdown has one (ATX, levels 1 to 6; underlined with =, or with - below the name of a section,
// because --- is a rule in the files that are found), and not in fenced code, HTML comments, lists or front matter. Lines
// may end in CRLF; what is inserted ends as the lines around it. The package reads no file and no clock.
package notes

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Notes is a NOTES.md that was read. It keeps the text that it was made of.
type Notes struct {
	Text     []byte
	Sections []Section // in the order of the file; all levels
	CRLF     bool      // most of its lines end so

	str         string     // Text, copied once instead of line by line: what is read is parts of it
	decisions   []Decision // those of a section of their own with what their headings say, see Decisions
	filled      []Decision
	fillOnce    sync.Once
	questions   []Question
	identifiers []Identifier
	items       map[Kind][]Item
	continuity  Continuity
	open        int  // where a fence or comment begins that is never closed; -1 none
	work        *int // of Parse: bytes read, each time that they are
}

// Kind is what a section is about, by the first words of its heading, whatever its level, case and suffix.
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

// Section is a heading with what is below it, up to the next heading of its level or a higher one.
type Section struct {
	Level  int
	Title  string // as written, without the marks
	Kind   Kind
	Parent int // index of the section around it, -1 none
	// Bytes of the text: the heading from Start, what is below it from Body, up to End; Own is where its first
	// subsection begins, or End.
	Start, Body, Own, End int
	Line, Last            int // from 1, the heading and the last line
	Count                 int // entries of its kind in it: decisions, open questions, identifiers, items of a list; -1 not counted
}

// Evidence is where a decision is backed by code.
type Evidence struct {
	Ref   ledger.Ref
	Quote string // word for word; "" none
	Line  int    // in NOTES.md
}

// Decision is one entry of a decision log, whatever its shape: an H3 or H4 with a time, a row of a table, a bold
// paragraph, an item of a list, or a whole dated section.
type Decision struct {
	When      time.Time // zero: it is not known
	Day       bool      // When is a day only
	Title     string    // one line, without markup around it
	Decision  string    // markdown; "" the title says it
	Rationale string
	By        string
	Evidence  []Evidence
	Scenarios []string
	Section   int  // index of its log, the outermost; of an entry outside of any its own
	Line      int  // from 1
	Last      int  // its last line
	Blank     bool // an unfilled placeholder of the template

	body body // what has still to be read of it; zero: nothing
}

// body is what is below a heading: bytes of the text, and the number of its first line.
type body struct{ lo, hi, num int }

// Question is an open question.
type Question struct {
	Text  string
	Done  bool
	Since time.Time // zero: not known
	Line  int
	Blank bool
}

// Identifier is a lightweight identifier: a place in the code, kept instead of its content.
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

// Continuity is what the newest Session Continuity says, and where older ones were left out of it.
type Continuity struct {
	Section    int       // index; -1 there is none
	Bead       string    // id of the current bead, "" none
	BeadText   string    // what stands behind it
	Checkpoint time.Time // the last one; zero: not known
	CheckedAs  string    // as it is written
	State      string    // reasoning state, one paragraph
	First      string    // first paragraph, or the newest row of a table as a sentence: without placeholders
	Older      int       // other sections of this name
}

// Parse reads a NOTES.md. It takes any bytes, in time linear to them. What it returns is not changed by any method, so
// several may read it at once; what its methods return belongs to it.
func Parse(text []byte) *Notes { return parse(text, nil) }

// parse adds the bytes that it reads to work, each time that it reads them.
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

// count adds to the entries of a section, if it is of that kind.
func (n *Notes) count(i int, kind Kind, more int) {
	if s := &n.Sections[i]; s.Kind == kind {
		s.Count = max(s.Count, 0) + more
	}
}

// Decisions are those of all logs, newest first by time, else in the order of the file; placeholders are left out.
func (n *Notes) Decisions() []Decision {
	n.fillOnce.Do(func() {
		n.filled = slices.Clone(n.decisions)
		for i := range n.filled {
			n.filled[i] = n.read(n.filled[i])
		}
	})
	return n.filled
}

// read reads what is below the heading of a decision, where that has still to be done.
func (n *Notes) read(d Decision) Decision {
	b := d.body
	if d.body = (body{}); b.hi > 0 {
		d = n.fill(d, b.lo, b.hi, b.num)
	}
	return d
}

// DecisionTitles are Decisions of which only title, time and place are sure to be there: of 200 KB, reading what is below
// the headings takes as long as all the rest.
func (n *Notes) DecisionTitles() []Decision { return n.decisions }

// Questions are those that are open, in the order of the file, placeholders left out.
func (n *Notes) Questions() []Question { return n.questions }

// Identifiers are those of the identifier sections, and without one of any Session Continuity.
func (n *Notes) Identifiers() []Identifier { return n.identifiers }

// Items are the entries of all sections of a kind that are not done, placeholders and "None" left out. Of what has a method
// of its own there are none.
func (n *Notes) Items(kind Kind) []Item { return n.items[kind] }

// Continuity is the newest Session Continuity: by its time where all have one, else the first of the file. Its time is that
// of its checkpoint, of the newest row of its table, or the day in its heading or the headings in it. One that is not filled
// in counts only where there is no other.
func (n *Notes) Continuity() Continuity { return n.continuity }
