package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
)

// Prose returns a markdown text as one line, without marks of headings, bold text, links and images. Inline code keeps
// its backticks.
func Prose(line string) string {
	if !strings.ContainsAny(line, "*#[") {
		return line
	}
	text := withoutHeading(line)
	var b strings.Builder
	at := 0
	for code := range mark.Spans(text) {
		b.WriteString(withoutMarks(text[at:code.At], true))
		b.WriteString(text[code.At:code.End])
		at = code.End
	}
	b.WriteString(withoutMarks(text[at:], false))
	return b.String()
}

// ProseLines applies Prose to each line, and draws bullets as "•". Fenced code isn't changed.
func ProseLines(text string) string {
	var b strings.Builder
	var r mark.Reader
	for line := range strings.Lines(text) {
		kind := r.Next(line).Kind
		text, end := strings.CutSuffix(line, "\n")
		if kind == mark.Text {
			text = Prose(text)
			if item := strings.TrimLeft(text, " "); mark.Bullet(item) == 1 && strings.HasPrefix(item[1:], " ") {
				text = text[:len(text)-len(item)] + "•" + item[1:]
			}
		}
		b.WriteString(text)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// withoutHeading removes the # marks of a heading.
func withoutHeading(line string) string {
	if level, title := mark.Heading(strings.TrimSpace(line)); level > 0 && title != "" {
		return title
	}
	return line
}

// withoutMarks removes marks of bold text, links and images. The text must have no inline code. codeFollows reports
// whether inline code follows.
func withoutMarks(text string, codeFollows bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "**") && isBoldMark(text, i, codeFollows):
			i += len("**")
		case rest[0] == '[' || strings.HasPrefix(rest, "!["):
			label, n := linkAt(rest)
			if n == 0 {
				b.WriteByte(rest[0])
				i++
				continue
			}
			b.WriteString(withoutMarks(label, false))
			i += n
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String()
}

// isBoldMark reports whether the ** at text[at:] begins or ends bold text. The ** of src/**/x doesn't.
func isBoldMark(text string, at int, codeFollows bool) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+len("**"):])
	opens := !unicode.IsSpace(after) && after != '/' && after != utf8.RuneError || after == utf8.RuneError && codeFollows
	closes := !unicode.IsSpace(before) && before != '/'
	return before != '/' && (opens || closes)
}

// linkAt returns the label of the link or image at the start of a text, and its length in bytes. The length is 0
// without a link.
func linkAt(text string) (label string, n int) {
	from := strings.IndexByte(text, '[') + 1
	to := strings.Index(text[from:], "](")
	if to < 0 || strings.ContainsAny(text[from:from+to], "[]") {
		return "", 0
	}
	target := from + to + len("](")
	end := strings.IndexByte(text[target:], ')')
	if end < 0 {
		return "", 0
	}
	return text[from : from+to], target + end + 1
}
