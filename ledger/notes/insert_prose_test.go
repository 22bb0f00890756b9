package notes_test

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

// TestInsertBesideProse: a new question takes the form of the existing questions. A list item would hide questions
// that are paragraphs.
func TestInsertBesideProse(t *testing.T) {
	t.Parallel()
	e := entries()[notes.EntryQuestion]
	e.Text, e.Bead = "Who owns\n\nthe wick?", ""
	for s, want := range map[string][]string{
		"# Questions\n\nIs the burner brass?\n":     {"Is the burner brass?", "Who owns the wick?"},
		"# Questions\n\nTo be asked on Monday:\n":   {"Who owns the wick?"},
		"# Questions\n\nNone.\n":                    {"Who owns the wick?"},
		"# Questions\n\n- Is the burner brass?\n":   {"Is the burner brass?", "Who owns the wick?"},
		"# Questions\r\n\r\nIs the burner brass?":   {"Is the burner brass?", "Who owns the wick?"},
		"# Questions\n\n~~Is the burner brass?~~\n": {"Who owns the wick?"},
	} {
		in, err := notes.Parse([]byte(s)).Insert(e)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, q := range notes.Parse(in.Apply([]byte(s))).Questions() {
			got = append(got, strings.Join(strings.Fields(q.Text), " "))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q, as %q", s, got, want, in.Text)
		}
	}
}
