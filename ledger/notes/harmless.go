package notes

import (
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/internal/mark"
)

// plain returns a text as one line of valid UTF-8, without control characters.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || r == '\ufeff':
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "<!--", `<\!--`)), " ")
}

// plainLines applies plain to each line of a text, and removes blank lines.
func plainLines(s string) []string {
	var all []string
	for l := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		if l = plain(l); l != "" {
			all = append(all, l)
		}
	}
	return all
}

// escapeStart escapes the start of a line of plain text. Otherwise Markdown could read it as a heading, a list or
// another block.
func escapeStart(s string) string {
	if s == "" {
		return s
	}
	if i := mark.Bullet(s); i > 1 && (i == len(s) || s[i] == ' ') {
		return s[:i-1] + `\` + s[i-1:]
	}
	switch s[0] {
	case '#', '>', '|', '=', '<', '[', ':':
		return `\` + s
	case '-', '+':
		if len(s) == 1 || s[1] == ' ' || s[0] == s[1] {
			return `\` + s
		}
	case '*', '_', '~', '`':
		if len(s) == 1 || s[1] == ' ' || s[1] == s[0] {
			return `\` + s
		}
	}
	return s
}

// unescapeStart removes the escape of escapeStart.
func unescapeStart(s string) string {
	if len(s) > 1 && s[0] == '\\' && strings.IndexByte("#>|=<[:-+*_~`", s[1]) >= 0 {
		s = s[1:]
	}
	if i := strings.IndexByte(s, '\\'); i > 0 && i+1 < len(s) && mark.Bullet(s[:i]+s[i+1:]) == i+1 { // 1\. is an escaped list number
		s = s[:i] + s[i+1:]
	}
	return s
}

// unescape removes the escapes of comment marks. Call it last, because other functions drop text after a comment
// mark.
func unescape(s string) string { return strings.ReplaceAll(s, `<\!--`, "<!--") }

// labelled returns the lines of a field. The label is on the first line, and the other lines are indented.
func labelled(label, text, indent string) []string {
	var all []string
	for i, l := range plainLines(text) {
		if i == 0 {
			all = append(all, label+" "+l)
			continue
		}
		if _, _, ok := cutLabel(l, knownField); ok {
			l = `\` + l
		}
		all = append(all, indent+escapeStart(l))
	}
	return all
}

// headingText returns plain text for a heading. It escapes a # at the end, and a separator at the start.
func headingText(s string) string {
	s = plain(s)
	if s != "" && strings.IndexByte("-:|", s[0]) >= 0 {
		s = `\` + s
	}
	if cut := strings.TrimRight(s, "#"); cut != s && (cut == "" || strings.HasSuffix(cut, " ")) {
		return cut + `\` + s[len(cut):]
	}
	return s
}

// boldText returns plain text for use inside bold text.
func boldText(s string) string {
	return strings.TrimSpace(strings.Trim(strings.ReplaceAll(plain(s), "**", ""), "*"))
}

// cellText returns a text for a table cell. It joins lines with <br> and escapes pipes.
func cellText(s string) string {
	lines := plainLines(s)
	for i, l := range lines {
		l = strings.ReplaceAll(strings.ReplaceAll(l, `\|`, `\&#124;`), "|", `\|`)
		if before, ok := strings.CutSuffix(l, `\`); ok {
			l = before + "&#92;"
		}
		lines[i] = l
	}
	return strings.Join(lines, "<br>")
}

// span returns a quote as a code span on one line.
func span(s string) string {
	s = strings.ReplaceAll(plain(s), `<\!--`, "<!--")
	if s == "" {
		return ""
	}
	mark := "`"
	for strings.Contains(s, mark) {
		mark += "`"
	}
	if len(mark) > 1 || s[0] == '`' || s[len(s)-1] == '`' {
		return mark + " " + s + " " + mark
	}
	return mark + s + mark
}

// cited returns evidence in the form of the spec: the quote and the code reference.
func cited(e Evidence) string {
	return strings.TrimSpace(span(e.Quote) + " [" + plain(e.Ref.String()) + "]")
}
