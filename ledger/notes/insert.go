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

// The kinds of entries (spec 002: decisions[], questions[], next_steps[], handoffs[], test_scenarios[] of a bead).
const (
	EntryDecision EntryKind = "decision"
	EntryQuestion EntryKind = "question"
	EntryNext     EntryKind = "next"
	EntryHandoff  EntryKind = "handoff"
	EntryScenario EntryKind = "scenario"
)

// Entry is an entry to add to NOTES.md.
type Entry struct {
	Kind       EntryKind
	At         time.Time // UTC
	Title      string    // title of a decision; also its text if Text is empty
	Text       string    // decision, question, next step; name of a scenario
	Rationale  string
	Evidence   []Evidence
	Scenarios  []string
	Type       string // for a scenario: happy_path, edge_case, error_handling
	Expected   string // expected result of a scenario
	Session    string // session of a handoff
	NotesRef   string // for a handoff: grimoires/loa/NOTES.md:45-67
	Trajectory string // trajectory of a handoff
	Ratio      string // for a handoff: 0.97
	Bead       string // bead of the entry, "" none
}

// Missing is a required field that an entry lacks (spec 002, New Field Specifications).
type Missing struct {
	Field string // name in the spec: evidence[].quote
	Why   string // one sentence: the problem
}

// Insertion is the position and text of an entry: Text is inserted at byte At, all other bytes stay.
type Insertion struct {
	At      int
	Text    []byte
	Line    int    // first line of the entry, after any new heading, from 1
	Section string // heading of its section
	Made    bool   // the insertion creates that section
}

// ErrNoPlace is returned if an entry can't be inserted without changing other bytes.
var ErrNoPlace = errors.New("no place for the entry without changing other text")

// newTitle is the first line of a new NOTES.md.
const newTitle = "# Agent Working Memory (NOTES.md)"

// Insert returns the insertion of an entry. The entry goes into the section of its kind, in the form that this section
// uses: a row for a table of decisions, a heading for the form of the spec. The entry becomes the newest one there, at
// the top or at the end. Without such a section, Insert creates one at the fallback position of the spec. A new file
// also gets a title.
//
// If the decisions are in dated logs, one per session, a decision gets its own dated log: in an existing log the
// decision would have the wrong day. The text of the entry is escaped, so that it can't start a heading, fence,
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
	default:
		return Insertion{}, ErrNoPlace
	}
}

// inserter finds the position of one entry in a ledger, and formats the entry for it.
type inserter struct {
	*Notes
	entry Entry
}

// headline returns the title of an entry, else its first non-empty field.
func (e Entry) headline() string {
	for _, s := range []string{e.Title, e.Text, e.Session, e.NotesRef, e.Trajectory, e.Ratio} {
		if s = plain(s); s != "" {
			return s
		}
	}
	return ""
}

// piece is a text and its position.
type piece struct {
	at      int // beginning of a line, or the end of the text
	lines   []string
	above   int  // number of lines before the first line of the entry: new headings and blank lines
	tight   bool // without blank lines around it: a row, a list item
	section string
	made    bool
}

// put returns the insertion of a piece, with the line ends of the lines around it, and blank lines around a block.
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

// joins reports whether the text after a piece would become part of its list, because it is indented like the contents
// of an item. put separates them with an empty comment.
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

// eol returns the line end of the line before a byte, else that of the first line.
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

// blankBefore reports whether the line that ends before a byte is blank.
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

// tail returns the position for a new entry at the end of a section: after its last line, and before trailing blank
// lines, rules and comments. A comment right below a heading counts as a line. The position is always before an
// unclosed fence or comment.
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

// lastOf returns the position at the end of a section, including its subsections.
func (in inserter) lastOf(i int) int { return in.tail(in.Sections[i].Body, in.Sections[i].End) }

// newSection returns the insertion of a new section of level 2 with the given lines: after the Session Continuity, else
// at the end of the file.
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

// Apply returns the text with the insertion. It doesn't change text.
func (i Insertion) Apply(text []byte) []byte {
	at := min(max(i.At, 0), len(text))
	now := make([]byte, 0, len(text)+len(i.Text))
	now = append(now, text[:at]...)
	now = append(now, i.Text...)
	return append(now, text[at:]...)
}
