package recovery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// wrapRunes is the longest line that a paragraph is broken into when it does not fit as a whole.
	wrapRunes = 120
	// wrapLeast is the shortest line that is worth breaking to: below it a budget gets nothing of a paragraph.
	wrapLeast = 12
)

// wrap breaks a line into lines of at most width runes: at the end of a sentence where one ends in the second half of a
// line, else between words, and inside a word only where it is longer than a line (a URL, a text without blanks).
// The first line has room for a lead of so many runes. Joined with blanks, the lines are the text.
func wrap(text string, width, lead int) []string {
	var lines []string
	for room := max(width-lead, 1); text != ""; room = width {
		line := breakAt(text, room)
		lines = append(lines, strings.TrimRight(text[:line], " "))
		text = strings.TrimLeft(text[line:], " ")
	}
	return lines
}

// breakAt is how many bytes of a text go on a line of so many runes.
func breakAt(text string, room int) int {
	blank, sentence, n := 0, 0, 0
	var before rune
	for i, r := range text {
		if r == ' ' {
			blank = i
			if n*2 > room && isStop(before) {
				sentence = i
			}
		}
		if n == room {
			switch {
			case sentence > 0:
				return sentence
			case blank > 0:
				return blank
			}
			return i
		}
		if n*2 > room && isWideStop(before) {
			sentence = i
		}
		before = r
		n++
	}
	return len(text)
}

// isStop reports whether a rune ends a sentence before a blank.
func isStop(r rune) bool { return strings.ContainsRune(".!?…", r) || isWideStop(r) }

// isWideStop reports whether a rune ends a sentence in scripts that have no blank behind it.
func isWideStop(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsPunct(r) && strings.ContainsRune("。！？；", r)
}
