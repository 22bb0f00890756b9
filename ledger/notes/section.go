package notes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
)

// kindName is a name of a section, in lower case.
type kindName struct {
	name string
	kind Kind
}

// kindNamed returns the kind of a section by its heading in lower case, and the text after the name. Longer names
// come first.
func kindNamed(low string) (kind Kind, after string, ok bool) {
	names := [...]kindName{
		{"session continuity", KindContinuity},
		{"active context", KindContext},
		{"lightweight identifiers", KindIdentifiers},
		{"lightweight identifier", KindIdentifiers},
		{"decision logs", KindDecisions},
		{"decision log", KindDecisions},
		{"decision history", KindDecisions},
		{"decision records", KindDecisions},
		{"decisions", KindDecisions},
		{"pending questions", KindQuestions},
		{"open questions", KindQuestions},
		{"unresolved questions", KindQuestions},
		{"questions", KindQuestions},
		{"active sub-goals", KindGoals},
		{"active subgoals", KindGoals},
		{"active sub goals", KindGoals},
		{"active goals", KindGoals},
		{"sub-goals", KindGoals},
		{"discovered technical debt", KindDebt},
		{"technical debt", KindDebt},
		{"tech debt", KindDebt},
		{"blockers", KindBlockers},
		{"test scenarios", KindScenarios},
		{"current focus", KindFocus},
		{"session log", KindLog},
		{"learnings", KindLearnings},
		{"lessons learned", KindLearnings},
	}
	for i := range names {
		if after, ok := wordPrefix(low, names[i].name); ok {
			return names[i].kind, after, true
		}
	}
	return KindOther, "", false
}

// kindOf returns the kind of a section by its heading, and the text after the name. It skips numbers, marks, and a
// word such as "key" before "decisions".
func kindOf(title string) (Kind, string) {
	const most = 64 // maximum length of a name in bytes
	rest := strings.TrimLeftFunc(title[:min(len(title), 4096)], func(r rune) bool { return !unicode.IsLetter(r) })
	size := min(len(rest), most)
	for size < len(rest) && size > 0 && !utf8.RuneStart(rest[size]) {
		size--
	}
	low := strings.ToLower(rest[:size])
	if len(low) != size {
		return KindOther, "" // lower case has another length, so the heading can't be a name
	}
	if kind, after, ok := kindNamed(low); ok {
		return kind, rest[len(low)-len(after):]
	}
	for _, which := range []string{"key ", "design ", "architecture ", "architectural ", "technical ", "important ", "major ", "project ", "implementation ", "locked "} {
		if after, ok := strings.CutPrefix(low, which); ok {
			if after, ok = wordPrefix(after, "decisions"); ok {
				return KindDecisions, rest[len(low)-len(after):]
			}
		}
	}
	return KindOther, ""
}

// wordPrefix removes whole words from the start of a text. ok is false if the text doesn't start with them.
func wordPrefix(s, words string) (after string, ok bool) {
	if after, ok = strings.CutPrefix(s, words); !ok {
		return "", false
	}
	r, _ := utf8.DecodeRuneInString(after)
	return after, after == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}

// outline finds the sections.
func (n *Notes) outline() {
	s := n.scan(0, len(n.Text), 1)
	var open []int
	closeTo := func(level, at, last int) {
		for len(open) > 0 && n.Sections[open[len(open)-1]].Level >= level {
			i := open[len(open)-1]
			n.Sections[i].End, n.Sections[i].Last = at, last
			open = open[:len(open)-1]
		}
	}
	last := 0
	for {
		l, ok := s.next()
		if !ok {
			break
		}
		last = l.num
		level, title := n.headingAt(s, l)
		if level == 0 {
			continue
		}
		closeTo(level, l.lo, l.num-1)
		last = s.num - 1
		kind, _ := kindOf(title)
		sec := Section{Level: level, Title: title, Kind: kind, Parent: -1, Start: l.lo, Body: s.pos, Line: l.num, Count: -1}
		if len(open) > 0 {
			sec.Parent = open[len(open)-1]
		}
		open = append(open, len(n.Sections))
		n.Sections = append(n.Sections, sec)
	}
	closeTo(0, len(n.Text), last)
	for i := range n.Sections {
		n.Sections[i].Own = len(n.Text)
		if i+1 < len(n.Sections) {
			n.Sections[i].Own = n.Sections[i+1].Start
		}
	}
	n.open = -1
	if s.marks.Inside() {
		n.open = s.opened
	}
}

// headingAt returns the heading at a line. level is 0 if there is none. A line underlined with "-" must have the name
// of a section, because real files use "---" as a rule.
func (n *Notes) headingAt(s *scanner, l line) (level int, title string) {
	if l.Level > 0 {
		s.headed = s.pos
		return l.Level, l.Title
	}
	if l.Kind != mark.Text || l.Nested || l.mark != 0 || l.Indent > 3 {
		return 0, ""
	}
	b := n.str[l.at:l.hi]
	if !l.Fresh && l.lo != s.headed || s.pos >= s.end || b[0] == '|' || b[0] == '>' || b[0] == '<' {
		return 0, ""
	}
	if c := n.Text[s.pos]; c != '=' && c != '-' {
		return 0, ""
	}
	below := s.cut(s.pos, mark.Measure)
	line := strings.TrimRight(n.str[below.lo:below.hi], " \t")
	title = strings.TrimRight(b, " \t")
	switch {
	case len(line) < 3:
		return 0, ""
	case strings.Trim(line, "=") == "":
		level = 1
	case strings.Trim(line, "-") == "":
		if kind, _ := kindOf(title); kind == KindOther {
			return 0, ""
		}
		level = 2
	default:
		return 0, ""
	}
	s.next()
	s.headed = s.pos
	return level, title
}

// below returns the indexes of the direct subsections of section i.
func (n *Notes) below(i int) []int {
	var in []int
	for j := i + 1; j < len(n.Sections) && n.Sections[j].Start < n.Sections[i].End; j++ {
		if n.Sections[j].Parent == i {
			in = append(in, j)
		}
	}
	return in
}

// inside returns the outermost section of a kind around section i.
func (n *Notes) inside(i int, kind Kind) (int, bool) {
	found := -1
	for p := n.Sections[i].Parent; p >= 0; p = n.Sections[p].Parent {
		if n.Sections[p].Kind == kind {
			found = p
		}
	}
	return found, found >= 0
}

// Markdown returns the text of a section, including its heading; nil if there is no such section.
func (n *Notes) Markdown(section int) []byte {
	if section < 0 || section >= len(n.Sections) {
		return nil
	}
	return n.Text[n.Sections[section].Start:n.Sections[section].End]
}
