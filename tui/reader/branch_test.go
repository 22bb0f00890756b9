package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestBranches: b shows one branch after another. After the last branch, everything is shown again.
func TestBranches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{msgs: []transcript.Message{
			prompt("One."), answer(said("First.")), prompt("Two."), answer(said("Second.")), prompt("Other two."), prompt("Third two."), prompt("Other one."),
		}, splits: []int{1, 1, 0}}
		s := read(t, d, 100, 40)
		said := func(want string) {
			t.Helper()
			if n := len(s.wants); n == 0 || s.wants[n-1] != screen.Effect(screen.Tell{Text: want}) {
				t.Errorf("b says %v, not %q", s.wants, want)
			}
		}
		shows := func(position string, prompts ...string) {
			t.Helper()
			var got []string
			for line := range strings.Lines(s.text()) {
				if _, text, ok := strings.Cut(line, "❯ "); ok {
					got = append(got, strings.Join(strings.Fields(strings.TrimRight(text, " │┃❯◇\n")), " "))
				}
			}
			if !slices.Equal(got, prompts) || !strings.HasPrefix(s.page.View().Left+" ", position+" ") {
				t.Errorf("shows %q at %q, want %q at %q:\n%s", got, s.page.View().Left, prompts, position, s.text())
			}
		}
		all := []string{"One.", "Two.", "Other two.", "Third two.", "Other one."}
		if got := squeezed(s.text()); !strings.Contains(got, "First. ◇ 2 other branches from here") || strings.Count(got, "◇ 1 other branch from here") != 1 {
			t.Errorf("the splits aren't marked:\n%s", s.text())
		}
		s.press("b")
		said("Branch 1 of 3. claude --resume would not show it.")
		shows("message 3 of 3", "One.", "Other two.")
		s.press("b")
		said("Branch 2 of 3. claude --resume would not show it.")
		shows("message 3 of 3", "One.", "Third two.")
		s.press("{", "{")
		shows("message 1 of 3", "One.", "Third two.")
		s.press("G")
		shows("message 3 of 3", "One.", "Third two.")
		s.press("b")
		shows("message 2 of 2", "One.", "Other one.")
		s.press("b")
		said("The conversation that claude --resume continues.")
		shows("message 2 of 7", all...)
		s.press("b", "/", "S", "e", "c", "o", "n", "d", "enter") // a match in another thread
		shows("/Second   match 1 of 1   message 4 of 7", all...)
	})
}
