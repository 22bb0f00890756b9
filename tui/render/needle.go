package render

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Needle is a set of search texts. Each occurrence of a search text is a match. A search text with a capital letter is
// case-sensitive.
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

// find returns the first match at or after byte from, or -1. Of matches with the same start, it returns the longest.
// lower is the text in lower case, or "".
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
	if len(lower) != len(plain) { // the offsets in both texts differ
		return line
	}
	var b strings.Builder
	style, at := "", 0 // the current style, and the length of plain
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
		} else if end < 0 && at > next && next >= 0 { // the match starts inside a grapheme cluster
			next, to = n.find(plain, lower, at)
		}
	}
	if end >= 0 {
		b.WriteString(reset)
	}
	return b.String()
}
