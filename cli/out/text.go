package out

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Count is n things: "1 stub", "4 stubs".
func Count(n int, thing string) string { return words.Counted(n, thing, thing+"s") }

// CleanPath is a path on one line with every space it has; what a terminal would act on is gone.
func CleanPath(path string) string { return sessions.Tilde(path, "") }

// Quoted is a word of the command line inside a sentence: as it is when it is plain, else in quotes.
func Quoted(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == '"' || r == unicode.ReplacementChar
	})
	if plain {
		return s
	}
	return strconv.QuoteToGraphic(transcript.Clean(s))
}

// Reason is why an operation on a file failed.
func Reason(err error) string { return ledger.Reason(err) }

// Sentence is a text with a capital letter and a full stop.
func Sentence(s string) string { return words.Sentence(s) }

// OneLine cleans a line and keeps the blanks in it.
func OneLine(s string) string { return strings.ReplaceAll(transcript.Clean(s), "\n", " ") }

// LowerFirst returns a text with its first letter in lower case.
func LowerFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// UpperFirst returns a text with its first letter in upper case.
func UpperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// JoinSentences joins two sentences, either of which may be empty, with a space.
func JoinSentences(a, b string) string { return strings.TrimSpace(a + " " + b) }

// Page returns the lines of a page without the blanks at their ends.
func Page(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Word is a word where something is so, else "".
func Word(is bool, s string) string {
	if is {
		return s
	}
	return ""
}
