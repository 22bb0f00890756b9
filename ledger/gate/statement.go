package gate

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
)

// Statement is a decision in the text of a session. The texts may contain control characters.
type Statement struct {
	At    time.Time // time of the message; zero if unknown
	Title string    // text of the heading above the decision; "" if there is none
	Text  string    // one line
	// Fields of spec 002. Evidence is as written.
	Rationale string
	Evidence  []string
	Bead      string // ID of the bead that the decision names; "" if there is none
}

// The limits of a Statement. Lengths are in bytes.
const (
	maxStatement = 4 << 10
	maxEvidence  = 20
	maxTitle     = 200
)

// Statements returns the decisions in a Markdown text. A decision starts with DECISION: (beads) or **Decision**:
// (NOTES.md), and may name a bead in brackets. It ends at a blank line, a heading, a list item, or a field:
// Rationale, Evidence, Bead, Test scenario. Code blocks and quotations are skipped. Only the first 4 KB of a decision
// are kept.
func Statements(text string) []Statement {
	if !strings.Contains(text, "DECISION") && !strings.Contains(strings.ToLower(text), "**decision") {
		return nil
	}
	r := statementReader{}
	for line := range mark.Unfenced(text) {
		r.line(line)
	}
	return slices.DeleteFunc(r.all, func(s Statement) bool { return s.Text == "" })
}

// itemOf returns the text of a list item, and any other line unchanged.
func itemOf(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	mark := "-*+"
	if len(rest) < len(s) {
		mark = ".)"
	}
	if len(rest) < 2 || !strings.ContainsRune(mark, rune(rest[0])) || rest[1] != ' ' && rest[1] != '\t' {
		return s
	}
	return strings.TrimLeft(rest[1:], " \t")
}

// statementReader collects decisions from lines.
type statementReader struct {
	all   []Statement
	title string
	field *string // the field that the next line continues; nil if none
	open  bool    // the next line may start a field of the last decision
}

func (r *statementReader) line(line string) {
	s := strings.TrimSpace(line)
	switch item := itemOf(s); {
	case s == "":
		r.field = nil
		return
	case s[0] == '>':
		r.field, r.open = nil, false
		return
	case headingOf(s) != "":
		r.title, r.field, r.open = titleOf(headingOf(s)), nil, false
		return
	default:
		if r.decision(s, item) || r.open && r.ownField(s, item) {
			return
		}
		if item != s { // the line is an item of another list
			r.field = nil
			return
		}
	}
	if r.field != nil {
		addTo(r.field, s)
		return
	}
	r.open = false // another paragraph ends the decision
}

// decision reads the first line of a decision; false for any other line.
func (r *statementReader) decision(s, item string) bool {
	bead, rest, ok := "", "", false
	for _, at := range []string{s, item} {
		if bead, rest, ok = cutStatement(at); ok {
			break
		}
	}
	if !ok {
		return false
	}
	r.all = append(r.all, Statement{Title: r.title, Bead: bead})
	last := &r.all[len(r.all)-1]
	r.field, r.open = &last.Text, true
	addTo(r.field, rest)
	return true
}

// ownField reads the first line of a field of the last decision; false for any other line.
func (r *statementReader) ownField(s, item string) bool {
	last := &r.all[len(r.all)-1]
	for _, at := range []string{s, item} {
		name, rest, ok := cutField(at)
		if !ok {
			continue
		}
		r.field = nil
		switch name {
		case "rationale":
			r.field = &last.Rationale
			addTo(r.field, rest)
		case "evidence":
			last.addEvidence(rest)
		case "bead":
			if last.Bead == "" {
				last.Bead = strings.Trim(rest, " `[]()")
			}
		}
		return true
	}
	if item != s && strings.Contains(item, "`") && last.addEvidence(item) { // a list item below Evidence
		r.field = nil
		return true
	}
	return false
}

// addEvidence adds a code reference as evidence; false for any other text.
func (s *Statement) addEvidence(text string) bool {
	if text = strings.TrimSpace(text); text == "" || !strings.Contains(text, ":") || len(s.Evidence) >= maxEvidence {
		return false
	}
	s.Evidence = append(s.Evidence, cutBytes(text, maxStatement))
	return true
}

// cutStatement removes "DECISION:" or "**Decision**:" from the start of a line. It also removes and returns the ID of
// a bead in brackets.
func cutStatement(s string) (bead, rest string, ok bool) {
	const plain, bold = "DECISION", "**decision"
	switch {
	case strings.HasPrefix(s, plain):
		rest = s[len(plain):]
	case len(s) > len(bold) && strings.EqualFold(s[:len(bold)], bold):
		rest = s[len(bold):]
		if after, closed := strings.CutPrefix(rest, "**"); closed {
			rest = after
		} else if i := strings.Index(rest, "**"); i >= 0 { // **Decision:** text, or **Decision: text**
			rest = rest[:i] + rest[i+2:]
		}
	default:
		return "", "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	if rest != "" && strings.ContainsRune("([", rune(rest[0])) {
		i := strings.IndexAny(rest, ")]")
		if i < 0 || i > maxTitle {
			return "", "", false
		}
		bead, rest = strings.Trim(rest[1:i], " `"), strings.TrimLeft(rest[i+1:], " \t")
	}
	rest, ok = strings.CutPrefix(rest, ":")
	if rest = strings.TrimSpace(rest); !ok || strings.ContainsAny(bead, " \t") {
		return "", "", false
	}
	return bead, rest, true
}

// cutField splits a line such as "Rationale: …", "**Rationale**: …" or "**Rationale:** …" into the name of the field
// and the text.
func cutField(s string) (name, rest string, ok bool) {
	s = strings.TrimPrefix(s, "**")
	left, rest, ok := strings.Cut(s, ":")
	if !ok || len(left) > maxTitle {
		return "", "", false
	}
	name = strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(left), "**")))
	switch name {
	case "rationale", "evidence", "bead", "test scenario", "test scenarios", "alternatives":
		return name, strings.TrimSpace(strings.TrimPrefix(rest, "**")), true
	}
	return "", "", false
}

// headingOf returns the text of a heading; "" for any other line.
func headingOf(s string) string {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(s[n:], "# \t"))
}

// titleOf returns a heading without the time at its start: "Token refresh" for "2024-01-15T14:30:00Z - Token
// refresh". It returns "" for the name of a section.
func titleOf(s string) string {
	if len(s) >= 10 && s[4] == '-' && strings.Trim(s[:4], "0123456789") == "" {
		i := strings.IndexAny(s, " \t")
		if i < 0 {
			return ""
		}
		s = s[i:]
		if t := strings.TrimLeft(s, " \t"); len(t) > 5 && t[2] == ':' { // a time follows the date
			s = strings.TrimLeft(t, "0123456789:Z")
		}
		s = strings.TrimLeft(s, " \t-–—:|·")
	}
	switch s = strings.Trim(s, "*_` "); strings.ToLower(s) {
	case "decision", "decisions", "decision log", "key decisions":
		return ""
	}
	return cutBytes(s, maxTitle)
}

// addTo appends a line to a text, up to a maximum length.
func addTo(to *string, s string) {
	s = strings.Join(strings.Fields(cutBytes(s, maxStatement)), " ")
	switch {
	case s == "" || len(*to) >= maxStatement:
	case *to == "":
		*to = s
	default:
		*to = cutBytes(*to+" "+s, maxStatement)
	}
}

// cutBytes returns the first n bytes of a text, or fewer to keep characters whole.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n]) // the copy lets the garbage collector free s
}
