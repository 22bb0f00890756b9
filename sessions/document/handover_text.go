package document

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
)

// entries returns the list items and paragraphs of a section, each as its trimmed lines. "None", placeholders and
// open parts aren't entries.
func (s *section) entries() [][]string {
	var all [][]string
	outer, item, blank := -1, false, true
	for _, l := range s.lines {
		line := strings.TrimSpace(l.raw)
		if line == "" {
			blank = true
			continue
		}
		_, text, bullet := sessions.CutBullet(line)
		last := len(all) - 1
		switch {
		case l.Level > 0, l.Kind == mark.Text && mark.IsRule(line) && !l.Nested: // a heading or a rule only separates entries
			item, blank = false, true
			continue
		case bullet && l.Kind == mark.Text && (outer < 0 || l.Indent < outer+2):
			if outer < 0 {
				outer = l.Indent
			}
			item = true
			all = append(all, []string{text})
		case last >= 0 && (!blank || item && l.Nested):
			all[last] = append(all[last], line)
		default:
			item = false
			all = append(all, []string{line})
		}
		blank = false
	}
	return slices.DeleteFunc(all, func(e []string) bool {
		return len(e) == 1 && (isOpenPart(e[0]) || sessions.IsNone(e[0])) || strings.Join(e, "") == ""
	})
}

// isOpenPart reports whether a line is unknown, unknownRest or a similar remark in italics.
func isOpenPart(line string) bool {
	return line == unknown || line == unknownRest || strings.HasPrefix(line, "_") && strings.HasSuffix(line, "._")
}

// entryField is a field of an entry. The first field of an entry may have no label.
type entryField struct {
	label string
	lines []string
}

func (f *entryField) text() string { return unescapedLines(f.lines) }

// cutFields splits an entry at the lines that begin with a label: "**Why:** text".
func cutFields(e []string) []entryField {
	labels := []string{
		labelWhen, labelWhy, labelEvidence, labelInstead, labelAgent, labelGate, labelVerdict, labelRatio, labelStep, labelResume, labelRan, labelTest, labelType,
		labelExpected, labelAsked, labelOpen, labelAnswered,
	}
	var all []entryField
	for i, line := range e {
		f := entryField{lines: []string{line}}
		if rest, ok := strings.CutPrefix(line, "**"); ok {
			if label, rest, ok := strings.Cut(rest, ":**"); ok && slices.Contains(labels, label) {
				f = entryField{label, []string{strings.TrimSpace(rest)}}
			}
		}
		if i == 0 || f.label != "" {
			all = append(all, f)
			continue
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, line)
	}
	return all
}

// unescapedLines joins lines and removes the escapes.
func unescapedLines(lines []string) string {
	some := make([]string, 0, len(lines))
	for _, l := range lines {
		if l = unescaped(l); l != "" {
			some = append(some, l)
		}
	}
	return strings.Join(some, "\n")
}

// unescaped removes the escapes that escaped and opening add. It doesn't change code spans.
func unescaped(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "`&\\")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		c, rest := s[i], s[i+1:]
		end := strings.IndexByte(rest, '`')
		switch {
		case c == '`' && end >= 0:
			b.WriteString(s[i : i+end+2])
			rest = rest[end+1:]
		case c == '\\' && rest != "" && strings.IndexByte("\\`*_{}[]()<>#+-.!|~&=@:;", rest[0]) >= 0:
			b.WriteByte(rest[0])
			rest = rest[1:]
		case c == '&' && strings.HasPrefix(rest, "lt;"):
			b.WriteByte('<')
			rest = rest[len("lt;"):]
		case c == '&' && strings.HasPrefix(rest, "amp;"):
			b.WriteByte('&')
			rest = rest[len("amp;"):]
		default:
			b.WriteByte(c)
		}
		s = rest
	}
	return strings.TrimSpace(b.String() + s)
}

// unquoted removes the quotation marks and escapes that quoted adds.
func unquoted(s string) string {
	if inner, ok := strings.CutPrefix(s, "“"); ok {
		if inner, ok = strings.CutSuffix(inner, "”"); ok {
			return inner
		}
	}
	return s
}

// unquotedCode removes the backquotes or quotation marks that code adds.
func unquotedCode(s string) string {
	if span, after, ok := cutSpan(s); ok && after == "" {
		return span
	}
	return unquoted(s)
}

// cutSpan splits a code span from the beginning of a text.
func cutSpan(s string) (span, after string, ok bool) {
	inner, ok := strings.CutPrefix(s, "`")
	if !ok {
		return "", s, false
	}
	return strings.Cut(inner, "`")
}

// evidenceOf parses a line of the form "`quote` [path:line]".
func evidenceOf(line string) (handover.Evidence, bool) {
	at := strings.LastIndexByte(line, '[')
	if at < 0 {
		return handover.Evidence{}, false
	}
	ref, ok := ledger.ParseRef(line[at:])
	quote := strings.TrimSpace(line[:at])
	if span, after, is := cutSpan(quote); is && after == "" {
		quote = span
	} else {
		quote = unescaped(unquoted(quote))
	}
	return handover.Evidence{Ref: ref, Quote: quote}, ok
}
