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

// Count returns a count such as "1 stub" or "4 stubs".
func Count(n int, thing string) string { return words.Counted(n, thing, thing+"s") }

// CleanPath returns a path on one line, with all blanks but no control characters.
func CleanPath(path string) string { return sessions.Tilde(path, "") }

// Quoted returns a word for a sentence, in quotes unless it is plain.
func Quoted(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == '"' || r == unicode.ReplacementChar
	})
	if plain {
		return s
	}
	return strconv.QuoteToGraphic(transcript.Clean(s))
}

// Reason returns why an operation on a file failed.
func Reason(err error) string { return ledger.Reason(err) }

// Sentence adds a capital letter and a full stop.
func Sentence(s string) string { return words.Sentence(s) }

// OneLine removes control characters and line breaks, and keeps blanks.
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

// JoinSentences joins two sentences, which may be empty, with a blank.
func JoinSentences(a, b string) string { return strings.TrimSpace(a + " " + b) }

// Page joins lines without blanks at their ends.
func Page(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Word returns s if the condition is true, else "".
func Word(is bool, s string) string {
	if is {
		return s
	}
	return ""
}
