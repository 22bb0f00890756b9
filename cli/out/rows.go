package out

import (
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Tabbed is a line of cleaned words with tabs between, for programs.
func Tabbed(words ...string) string {
	for i, w := range words {
		words[i] = OrUnknown(transcript.CleanLine(w))
	}
	return strings.Join(words, "\t") + "\n"
}

// When is a time for programs, "" unknown.
func When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// unknown stands for a value that is not known, because a shell takes two tabs for one.
const unknown = "-"

// OrUnknown returns the text, Unknown for an empty one.
func OrUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}
