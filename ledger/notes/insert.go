package notes

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/mark"
)

// EntryKind is the kind of an entry to add to a ledger.
type EntryKind string

// The kinds of entries. In spec 002, the first ones are decisions[], questions[], next_steps[], handoffs[], and
// test_scenarios[] of a bead.
const (
	EntryDecision EntryKind = "decision"
	EntryQuestion EntryKind = "question"
	EntryNext     EntryKind = "next"
	EntryHandoff  EntryKind = "handoff"
	EntryScenario EntryKind = "scenario"

	EntryState     EntryKind = "state"     // Reasoning State of the Active Context
	EntryBead      EntryKind = "bead"      // Current Bead of the Active Context
	EntryReference EntryKind = "reference" // row of the Lightweight Identifiers
)

// Entry is an entry to add to NOTES.md.
type Entry struct {
	Kind       EntryKind
	At         time.Time // UTC
	Title      string    // title of a decision; if Text is empty, also its text
	Text       string    // decision, question, next step, state; name of a scenario; ID and title of a bead; purpose of a reference
	Rationale  string
	Evidence   []Evidence // of a reference: its place
	Scenarios  []string
	Type       string // type of a scenario: happy_path, edge_case, error_handling
	Expected   string // expected result of a scenario
	Session    string // session of a handoff
	NotesRef   string // line range in NOTES.md for a handoff, such as grimoires/loa/NOTES.md:45-67
	Trajectory string // trajectory of a handoff
	Ratio      string // grounding ratio of a handoff, such as 0.97
	Bead       string // bead of the entry; "" if there is none
}

// Missing is a required field that an entry lacks (spec 002, New Field Specifications).
type Missing struct {
	Field string // name of the field in the spec, such as evidence[].quote
	Why   string // the problem, as one sentence
}

// Insertion is a text to insert at byte At. All other bytes stay the same.
type Insertion struct {
	At      int
	Text    []byte
	Line    int    // line number of the entry, from 1; a new heading above the entry isn't part of it
	Section string // heading of its section
	Made    bool   // the insertion also creates the section
}

// ErrNoPlace is returned if an entry can't be inserted without changing other bytes.
var ErrNoPlace = errors.New("no place for the entry without changing other text")

// newTitle is the first line of a new NOTES.md.
const newTitle = "# Agent Working Memory (NOTES.md)"

// Insert returns the insertion for an entry. The entry goes into the section of its kind, and its form follows
// that section: a table row in a table of decisions, a heading in the form of the spec. The entry goes to the top
// or to the end of the section, so that it is the newest one there. If there is no such section, Insert creates
// one at the fallback position of the spec. A new file also gets a title.
//
// If each session has its own dated log, a new decision also gets its own dated log, because in an existing log it
// would have the wrong day. Insert escapes the text of the entry, so that no part of it starts a heading, fence,
// comment, row or item.
func (n *Notes) Insert(e Entry) (Insertion, error) {
	if e.headline() == "" {
		return Insertion{}, ErrNoPlace
	}
	in := inserter{n, e}
	switch e.Kind {
	case EntryDecision:
		return in.decision(), nil
	case EntryQuestion:
		return in.item(KindQuestions), nil
	case EntryNext:
		return in.item(KindGoals), nil
	case EntryScenario:
		return in.item(KindScenarios), nil
	case EntryHandoff:
		return in.handoff(), nil
	case EntryReference:
		return in.reference(), nil
	case EntryState, EntryBead: // Keyed replaces the value in an existing section
		return in.newContext(keyOf(e.Kind).line(e.value())), nil
	default:
		return Insertion{}, ErrNoPlace
	}
}

// inserter finds the position for one entry in a NOTES.md, and formats the entry for this position.
type inserter struct {
	*Notes
	entry Entry
}

// headline returns the title of an entry, or the first field that isn't empty if the entry has no title.
func (e Entry) headline() string {
	for _, s := range []string{e.Title, e.Text, e.Session, e.NotesRef, e.Trajectory, e.Ratio} {
		if s = plain(s); s != "" {
			return s
		}
	}
	return ""
}

// piece is a text to insert and its position.
type piece struct {
	at      int // the beginning of a line, or the end of the text
	lines   []string
	above   int  // number of new headings and blank lines above the first line of the entry
	tight   bool // a row or a list item, which has no blank lines around it
	section string
	made    bool
}

// put returns the insertion for a piece. It uses the line ends of the surrounding lines, and adds blank lines
// around a block.
func (in inserter) put(p piece) Insertion {
	eol := in.eol(p.at)
	var b strings.Builder
	line := 1 + bytes.Count(in.Text[:p.at], []byte("\n"))
	begins := bom(in.Text)
	if p.at > begins && in.Text[p.at-1] != '\n' {
		if in.Text[p.at-1] == '\r' { // half of a CRLF
			b.WriteByte('\n')
		} else {
			b.WriteString(eol)
		}
		line++
	}
	if p.at > begins && !p.tight && !in.blankBefore(p.at) {
		b.WriteString(eol)
		line++
	}
	for _, l := range p.lines {
		b.WriteString(l)
		b.WriteString(eol)
	}
	if in.joins(p) {
		b.WriteString(eol + "<!-- -->" + eol)
	}
	if !p.tight && p.at < len(in.Text) && !in.blankAt(p.at) {
		b.WriteString(eol)
	}
	return Insertion{At: p.at, Text: []byte(b.String()), Line: line + p.above, Section: p.section, Made: p.made}
}

// joins reports whether the text after a list would become part of the list, because it is indented like an item. put
// then inserts an empty comment between them.
func (in inserter) joins(p piece) bool {
	inner := 0
	for _, l := range p.lines {
		blanks := len(l) - len(strings.TrimLeft(l, " "))
		if next, content := mark.Item(l[blanks:], blanks); next > 0 && (inner == 0 || content < inner) {
			inner = content
		}
	}
	if inner == 0 {
		return false
	}
	s := &scanner{text: in.str, pos: p.at, end: len(in.Text)}
	for s.pos < s.end {
		l := s.cut(s.pos, mark.Measure)
		if l.at < l.hi {
			return l.Indent >= inner
		}
		s.pos = l.next
	}
	return false
}

// eol returns the line end of the line before byte at. For the first line, it returns the line end of that line.
func (in inserter) eol(at int) string {
	i := bytes.LastIndexByte(in.Text[:at], '\n')
	if i < 0 {
		if i = bytes.IndexByte(in.Text, '\n'); i < 0 {
			return "\n"
		}
	}
	if i > 0 && in.Text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// blankBefore reports whether the line that ends before byte at is blank.
func (in inserter) blankBefore(at int) bool {
	before := bytes.TrimSuffix(in.Text[:at], []byte("\n"))
	if len(before) == at {
		return false
	}
	return len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
}

func (in inserter) blankAt(at int) bool {
	l, _, _ := bytes.Cut(in.Text[at:], []byte("\n"))
	return len(bytes.TrimSpace(l)) == 0
}

// tail returns the position for a new entry at the end of a section: after its last line, but before blank lines,
// rules and comments. A comment directly below the heading counts as a line. The position is never inside an unclosed
// fence or comment.
func (in inserter) tail(from, to int) int {
	to = max(in.closed(to), from)
	s := in.scan(from, to, 1)
	at, headed := from, true
	for {
		l, ok := s.next()
		if !ok {
			return at
		}
		switch l.Kind {
		case mark.Blank:
		case mark.Comment:
			if headed || l.Nested {
				at = l.next
			}
		case mark.Code:
			at, headed = l.next, false
		case mark.Text:
			if mark.IsRule(in.str[l.at:l.hi]) && l.Fresh && !l.Nested {
				continue
			}
			at, headed = l.next, l.Level > 0
		}
	}
}

// lastOf returns the position for a new entry at the end of a section and its subsections.
func (in inserter) lastOf(i int) int { return in.tail(in.Sections[i].Body, in.Sections[i].End) }

// newSection returns the insertion of a level 2 section with the given lines: after the Session Continuity or,
// without one, at the end of the file.
func (in inserter) newSection(title string, lines []string) Insertion {
	p := piece{at: len(in.Text), section: title, made: true}
	if in.open >= 0 {
		p.at = in.open
	}
	if i := in.continuity.Section; i >= 0 {
		for in.Sections[i].Level > 2 && in.Sections[i].Parent >= 0 && in.Sections[in.Sections[i].Parent].Level > 1 {
			i = in.Sections[i].Parent
		}
		p.at = in.lastOf(i)
	}
	if len(bytes.TrimSpace(in.Text[bom(in.Text):])) == 0 {
		p.lines = append(p.lines, newTitle, "")
		p.at = len(in.Text)
	}
	p.lines = append(p.lines, "## "+title, "")
	p.above = len(p.lines)
	p.lines = append(p.lines, lines...)
	return in.put(p)
}

// Apply returns a copy of the text with the insertion. It doesn't change its argument.
func (i Insertion) Apply(text []byte) []byte {
	at := min(max(i.At, 0), len(text))
	now := make([]byte, 0, len(text)+len(i.Text))
	now = append(now, text[:at]...)
	now = append(now, i.Text...)
	return append(now, text[at:]...)
}
