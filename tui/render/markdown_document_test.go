package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestMarkdownDocument: comments and marks of emphasis are removed, and the lines of a paragraph are joined.
func TestMarkdownDocument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one\ntwo  \nthree\\\nfour\n":         "one two\nthree\nfour",
		"- one\n  two\n- three\n":             "• one two\n• three",
		"<!-- a\n# b -->\n\n_Left open._\n":   "Left open.",
		"a <!-- b --> c":                      "a  c",
		"- **Asked:** a\n  **Answered:** b\n": "• Asked: a\n  Answered: b",
		"> one\n> two\n":                      "│ one\n│ two",
		"```\none\n<!-- two -->\n```\n":       "│ one\n│ <!-- two -->",
	} {
		var lines []string
		for _, l := range MarkdownDocument(text, 60, 60, NewStyles(None)) {
			lines = append(lines, strings.TrimRight(ansi.Strip(l), " "))
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
