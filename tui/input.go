package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// maxInput is in bytes: what is typed is a few words, what is pasted may be a file.
const maxInput = 200

// maxPath is what a path may have, in bytes (PATH_MAX of Linux).
const maxPath = 4096

// typedInto returns a text with something typed or pasted behind it, on one clean line, at most so many bytes.
func typedInto(text, more string, most int) string {
	if len(more) > 4*most { // a paste may be a file
		more = strings.ToValidUTF8(more[:4*most], "")
	}
	next := transcript.CleanLine("x" + text + more + "x") // so that blanks at the ends stay
	if next = next[1 : len(next)-1]; len(next) > most {
		next = strings.ToValidUTF8(next[:most], "")
	}
	return next
}

func withoutRune(text string) string {
	_, n := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-n]
}

func withoutWord(text string) string {
	text = strings.TrimRight(text, " ")
	return text[:strings.LastIndex(text, " ")+1]
}
