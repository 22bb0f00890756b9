package render

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Needle is a set of search texts. Each occurrence of one of them is a match. A search text is case-sensitive if
// it contains a capital letter.
type Needle struct{ texts []string }

// NewNeedle returns a Needle with the given search texts. The zero Needle matches nothing.
func NewNeedle(texts ...string) Needle {
	n := Needle{}
	for _, text := range texts {
		if text != "" {
			n.texts = append(n.texts, text)
		}
	}
	return n
}

// In reports whether a text contains a match.
func (n Needle) In(text string) bool {
	start, _ := n.find(text, "", 0)
	return start >= 0
}

// find returns the first match in text that starts at byte from or later; -1 if there is none. Of several matches
// with the same start, it returns the longest. lower is the text in lower case. If lower is "", find converts the
// text when necessary.
func (n Needle) find(text, lower string, from int) (start, end int) {
	start, end = -1, -1
	for _, want := range n.texts {
		in := text
		if !strings.ContainsFunc(want, unicode.IsUpper) {
			if lower == "" {
				lower = strings.ToLower(text)
			}
			in = lower
		}
		if i := strings.Index(in[min(from, len(in)):], want); i >= 0 {
			if i += from; start < 0 || i < start || i == start && i+len(want) > end {
				start, end = i, i+len(want)
			}
		}
	}
	return start, end
}

// Light highlights each match in a line. The line may contain only text and styles.
func (n Needle) Light(line string, s *Styles) string {
	plain := ansi.Strip(line)
	if !n.In(plain) {
		return line
	}
	lower := strings.ToLower(plain)
	if len(lower) != len(plain) { // the offsets in the two texts would differ
		return line
	}
	var b strings.Builder
	style, at := "", 0 // style is the current style; at is the number of bytes of plain written so far
	next, to := n.find(plain, lower, 0)
	end := -1
	var state byte
	for len(line) > 0 {
		seq, width, size, newState := ansi.DecodeSequence(line, state, nil)
		state, line = newState, line[size:]
		if width == 0 && strings.HasPrefix(seq, "\x1b") {
			if style += seq; seq == reset || seq == "\x1b[0m" {
				style = ""
			}
			if end < 0 {
				b.WriteString(seq)
			}
			continue
		}
		if at == next && end < 0 {
			end = to
			b.WriteString(reset + s.on[Match])
		}
		b.WriteString(seq)
		at += len(seq)
		if end >= 0 && at >= end {
			b.WriteString(reset + style)
			end = -1
			next, to = n.find(plain, lower, at)
		} else if end < 0 && at > next && next >= 0 { // the match starts inside a character
			next, to = n.find(plain, lower, at)
		}
	}
	if end >= 0 {
		b.WriteString(reset)
	}
	return b.String()
}
