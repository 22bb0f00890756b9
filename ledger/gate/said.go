package gate

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// Said is a decision that stands in the text of a session, not clean.
type Said struct {
	At    time.Time // of the message; zero unknown
	Title string    // of the heading that it stands below; "" none
	Text  string    // one line
	// What stands with it in the form of spec 002: its reason, and its evidence as it is written.
	Rationale string
	Evidence  []string
	Bead      string // that it names; "" none
}

// Bounds of what is read of a decision, in bytes, and of a message, in decisions.
const (
	saidText     = 4 << 10
	saidEvidence = 20
	saidTitle    = 200
)

// SaidIn finds the decisions in a text of markdown: lines that begin with DECISION: (spec 002, comments of beads) or with
// **Decision**: (NOTES.md). One goes on in the lines below it, up to a blank one, a heading, an item of a list, or a
// field: Rationale, Evidence, Bead, Test scenario, which belong to it. Behind the word the id of a bead may stand in
// brackets. Code in fences says nothing, and neither does a quotation. Of one that is longer than 4 KB the rest is left
// out.
func SaidIn(text string) []Said {
	if !strings.Contains(text, "DECISION") && !strings.Contains(strings.ToLower(text), "**decision") {
		return nil
	}
	r := saidReader{}
	for line := range transcript.Unfenced(text) {
		r.line(line)
	}
	return slices.DeleteFunc(r.all, func(s Said) bool { return s.Text == "" })
}

// itemOf is what an item of a list says; any other line is itself.
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

// saidReader collects the decisions of a text.
type saidReader struct {
	all   []Said
	title string
	field *string // that the next line goes on with; nil none
	open  bool    // a field of the last decision may come
}

func (r *saidReader) line(line string) {
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
		if item != s { // of another list
			r.field = nil
			return
		}
	}
	if r.field != nil {
		addTo(r.field, s)
		return
	}
	r.open = false // a paragraph about something else
}

// decision takes a line that begins one.
func (r *saidReader) decision(s, item string) bool {
	bead, rest, ok := "", "", false
	for _, at := range []string{s, item} {
		if bead, rest, ok = cutSaid(at); ok {
			break
		}
	}
	if !ok {
		return false
	}
	r.all = append(r.all, Said{Title: r.title, Bead: bead})
	last := &r.all[len(r.all)-1]
	r.field, r.open = &last.Text, true
	addTo(r.field, rest)
	return true
}

// ownField takes a line that begins a field of the last decision.
func (r *saidReader) ownField(s, item string) bool {
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
	if item != s && strings.Contains(item, "`") && last.addEvidence(item) { // an item below Evidence
		r.field = nil
		return true
	}
	return false
}

// addEvidence notes a place in the code; false: it is none.
func (s *Said) addEvidence(text string) bool {
	if text = strings.TrimSpace(text); text == "" || !strings.Contains(text, ":") || len(s.Evidence) >= saidEvidence {
		return false
	}
	s.Evidence = append(s.Evidence, cutBytes(text, saidText))
	return true
}

// cutSaid cuts the word off a decision, with the bead that stands behind it in brackets.
func cutSaid(s string) (bead, rest string, ok bool) {
	const plain, bold = "DECISION", "**decision"
	switch {
	case strings.HasPrefix(s, plain):
		rest = s[len(plain):]
	case len(s) > len(bold) && strings.EqualFold(s[:len(bold)], bold):
		rest = s[len(bold):]
		if after, closed := strings.CutPrefix(rest, "**"); closed {
			rest = after
		} else if i := strings.Index(rest, "**"); i >= 0 { // **Decision:** what, or **Decision: what**
			rest = rest[:i] + rest[i+2:]
		}
	default:
		return "", "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	if rest != "" && strings.ContainsRune("([", rune(rest[0])) {
		i := strings.IndexAny(rest, ")]")
		if i < 0 || i > saidTitle {
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

// cutField cuts the name of a field off a line: Rationale: …, **Rationale**: …, **Rationale:** …
func cutField(s string) (name, rest string, ok bool) {
	s = strings.TrimPrefix(s, "**")
	left, rest, ok := strings.Cut(s, ":")
	if !ok || len(left) > saidTitle {
		return "", "", false
	}
	name = strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(left), "**")))
	switch name {
	case "rationale", "evidence", "bead", "test scenario", "test scenarios", "alternatives":
		return name, strings.TrimSpace(strings.TrimPrefix(rest, "**")), true
	}
	return "", "", false
}

// headingOf is the text of a heading; "" it is none.
func headingOf(s string) string {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(s[n:], "# \t"))
}

// titleOf is a heading without its time: "2024-01-15T14:30:00Z - Token refresh" is about token refresh. A name of a
// section is no title.
func titleOf(s string) string {
	if len(s) >= 10 && s[4] == '-' && strings.Trim(s[:4], "0123456789") == "" {
		i := strings.IndexAny(s, " \t")
		if i < 0 {
			return ""
		}
		s = s[i:]
		if t := strings.TrimLeft(s, " \t"); len(t) > 5 && t[2] == ':' { // the time, apart from the day
			s = strings.TrimLeft(t, "0123456789:Z")
		}
		s = strings.TrimLeft(s, " \t-–—:|·")
	}
	switch s = strings.Trim(s, "*_` "); strings.ToLower(s) {
	case "decision", "decisions", "decision log", "key decisions":
		return ""
	}
	return cutBytes(s, saidTitle)
}

// addTo appends a line to a text of one line, within bounds.
func addTo(to *string, s string) {
	s = strings.Join(strings.Fields(cutBytes(s, saidText)), " ")
	switch {
	case s == "" || len(*to) >= saidText:
	case *to == "":
		*to = s
	default:
		*to = cutBytes(*to+" "+s, saidText)
	}
}

// cutBytes is the beginning of a text, in whole characters.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n]) // not all that is behind it
}
