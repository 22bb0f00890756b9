package recovery

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "ééééé": 2} {
		if got := Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"One ends here. And (e.g. this) goes on": "One ends here.|And (e.g. this) goes on",
		"Version 0.9.0 is done! Next: all":       "Version 0.9.0 is done!|Next: all",
		"長い文。次の文。":                               "長い文。|次の文。",
		"an (open bracket. never ends":           "an (open bracket. never ends",
	} {
		if got := strings.Join(sentences(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"a sentence that has room", 40, "a sentence that has room"},
		{"a sentence that is longer than its room, and goes on", 44, "a sentence that is longer than its room …"},
		{"a sentence without any room", 20, ""},
		{strings.Repeat("x", 60), 40, strings.Repeat("x", 38) + " …"},
	} {
		if got, ok := cutTo(c.text, c.room); got != c.want || ok != (c.want != "") || utf8.RuneCountInString(got) > c.room {
			t.Errorf("%q in %d: %q, %v", c.text, c.room, got, ok)
		}
	}
}

func TestHugeBudget(t *testing.T) {
	t.Parallel()
	f := factsOf("## Session Continuity\n\nHalf way.\n", nil)
	if r := Recover(f, Ask{Level: Where, Max: 1 << 62}); r.Text != "State: Half way. [N]\n[N NOTES.md]\n" {
		t.Errorf("%q", r.Text)
	}
}

func TestAll(t *testing.T) {
	t.Parallel()
	text := "# Notes\r\n\n## Decisions\n\ud7ff\nlast"
	f := &Facts{Notes: notes.Parse([]byte(text)), File: "NOTES.md"}
	if r := Recover(f, Ask{Level: All}); r.Text != text || r.Budget != 0 || len(r.LeftOut) != 0 {
		t.Errorf("level 3 is %q, left out %v", r.Text, r.LeftOut)
	}
	r := Recover(f, Ask{Level: All, Max: 6})
	if r.Text != "# Notes\r\n\n## Decisions\n" || len(r.LeftOut) != 1 || r.LeftOut[0] != (Left{"lines", 2, 0}) {
		t.Errorf("level 3 of 6 tokens is %q, left out %v", r.Text, r.LeftOut)
	}
}
