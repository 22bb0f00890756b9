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

// The kinds of entries. The first five are fields of a bead in spec 002.
const (
	EntryDecision EntryKind = "decision"
	EntryQuestion EntryKind = "question"
	EntryNext     EntryKind = "next"
	EntryHandoff  EntryKind = "handoff"
	EntryScenario EntryKind = "scenario"

	EntryState     EntryKind = "state"     // Reasoning State of the Active Context
	EntryBead      EntryKind = "bead"      // Current Bead of the Active Context
	EntryReference EntryKind = "reference" // a row in Lightweight Identifiers
)

// Entry is an entry to add to NOTES.md.
type Entry struct {
	Kind       EntryKind
	At         time.Time // UTC
	Title      string    // title of a decision, and also its text if Text is empty
	Text       string    // decision, question, next step, state; name of a scenario; bead; purpose of a reference
	Rationale  string
	Evidence   []Evidence // for a reference, its code reference
	Scenarios  []string
	Type       string // type of a scenario: happy_path, edge_case, error_handling
	Expected   string // expected result of a scenario
	Session    string // session of a handoff
	NotesRef   string // line range in NOTES.md for a handoff, such as grimoires/loa/NOTES.md:45-67
	Trajectory string // trajectory of a handoff
	Ratio      string // grounding ratio of a handoff, such as 0.97
	Bead       string // bead of the entry; "" if there is none
}

// Missing is a missing or invalid field of an entry (spec 002, New Field Specifications).
type Missing struct {
	Field string // name of the field in the spec, such as evidence[].quote
	Why   string // the problem, as one sentence
}

// Insertion is a text to insert at byte At. All other bytes stay the same.
type Insertion struct {
	At      int
	Text    []byte
	Line    int    // line number of the entry, from 1, or of the line after a new heading
	Section string // heading of its section
	Made    bool   // the insertion also creates the section
}

// ErrNoPlace is returned if an entry can't be inserted without changing other bytes.
var ErrNoPlace = errors.New("no place for the entry without changing other text")

// newTitle is the first line of a new NOTES.md.
const newTitle = "# Agent Working Memory (NOTES.md)"

// Insert returns the insertion for an entry. The entry goes into the section of its kind and takes the form of the
// entries there. It goes to the top or the end, where the newest entry is. Insert creates a missing section at the
// fallback position of the spec. A new file also gets a title.
//
// If each session has a dated log, a new decision gets a new dated log too. Insert escapes the text of the entry, so
// that it can't start a heading, fence, comment, row or item.
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
	case EntryState, EntryBead: // Keyed replaces an existing value
		return in.newContext(keyOf(e.Kind).line(e.value())), nil
	default:
		return Insertion{}, ErrNoPlace
	}
}

// inserter finds the position for an entry in a NOTES.md.
type inserter struct {
	*Notes
	entry Entry
}

// headline returns the title of an entry, or its first text.
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
	at      int // the start of a line, or the end of the text
	lines   []string
	above   int  // number of new headings and blank lines above the entry
	tight   bool // no blank lines around the text, because it is a row or a list item
	section string
	made    bool
}

// put returns the insertion for a piece, with the line ends and blank lines around it.
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

// joins reports whether a new list item would absorb the indented text below it. put then inserts an empty comment.
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

// eol returns the line end, \n or \r\n, of the line before the offset at, or of the first line.
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

// blankBefore reports whether the line before the offset at is blank.
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

// tail returns the position for a new entry at the end of a section. Blank lines, rules and comments stay below the
// new entry. The position is never inside an unclosed fence or comment.
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

// lastOf returns the position for a new entry at the end of a section, below its subsections.
func (in inserter) lastOf(i int) int { return in.tail(in.Sections[i].Body, in.Sections[i].End) }

// newSection returns the insertion of a section of level 2. It goes after the Session Continuity, or to the end of
// the file.
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

// Apply returns a copy of a text with the insertion.
func (i Insertion) Apply(text []byte) []byte {
	at := min(max(i.At, 0), len(text))
	now := make([]byte, 0, len(text)+len(i.Text))
	now = append(now, text[:at]...)
	now = append(now, i.Text...)
	return append(now, text[at:]...)
}
