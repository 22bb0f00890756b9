package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// maxInput is in bytes: what is typed is a few words, what is pasted may be a file.
const maxInput = 200

// typedInto returns a text with something typed or pasted behind it, on one clean line, as much as there is room for.
func typedInto(text, more string) string {
	if len(more) > 4*maxInput { // a paste may be a file
		more = strings.ToValidUTF8(more[:4*maxInput], "")
	}
	next := transcript.CleanLine("x" + text + more + "x") // so that blanks at the ends stay
	if next = next[1 : len(next)-1]; len(next) > maxInput {
		next = strings.ToValidUTF8(next[:maxInput], "")
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
