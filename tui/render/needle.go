package render

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Needle is a search text. It is case-sensitive if it contains a capital letter.
type Needle struct {
	text  string
	exact bool
}

// NewNeedle returns the needle for a search text. The zero Needle finds nothing.
func NewNeedle(text string) Needle {
	for _, c := range text {
		if unicode.IsUpper(c) {
			return Needle{text, true}
		}
	}
	return Needle{strings.ToLower(text), false}
}

// In reports whether a text contains the needle.
func (n Needle) In(text string) bool {
	if n.text == "" {
		return false
	}
	if n.exact {
		return strings.Contains(text, n.text)
	}
	return strings.Contains(strings.ToLower(text), n.text)
}

// Light highlights each occurrence of the needle in a line, which may contain only text and styles.
func (n Needle) Light(line string, s *Styles) string {
	plain := ansi.Strip(line)
	if !n.In(plain) {
		return line
	}
	haystack := plain
	if !n.exact {
		if haystack = strings.ToLower(plain); len(haystack) != len(plain) { // offsets would differ
			return line
		}
	}
	var b strings.Builder
	style, at := "", 0 // current styles; bytes of plain written so far
	next := strings.Index(haystack, n.text)
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
			end = at + len(n.text)
			b.WriteString(reset + s.on[Match])
		}
		b.WriteString(seq)
		at += len(seq)
		if end >= 0 && at >= end {
			b.WriteString(reset + style)
			end = -1
			next = -1
			if k := strings.Index(haystack[min(at, len(haystack)):], n.text); k >= 0 {
				next = at + k
			}
		} else if end < 0 && at > next && next >= 0 { // the match starts within a character
			next = -1
			if k := strings.Index(haystack[at:], n.text); k >= 0 {
				next = at + k
			}
		}
	}
	if end >= 0 {
		b.WriteString(reset)
	}
	return b.String()
}
