package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/tui/screen"
)

// TestFailedCalls: ( and ) go to the failed calls. An answer that arrives after another key is dropped.
func TestFailedCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, turnsDoc(300, 3), 100, 30) // the first call of each turn fails
		at := func(want string) {
			t.Helper()
			if got := s.barLine(); !strings.HasPrefix(got, "▸ Bash   make part-"+want) {
				t.Errorf("the bar is on %q, not on part %s:\n%s", got, want, s.text())
			}
		}
		s.press("(")
		at("299-0")
		s.press("(")
		at("298-0")
		if got := s.text(); !strings.Contains(got, "▾ 3 steps: 3 commands, 1 failed") {
			t.Errorf("the turn isn't open:\n%s", got)
		}
		s.press(")", ")")
		at("299-0")
		if !slices.Contains(s.wants, screen.Effect(screen.Tell{Text: "No failed call after this one."})) {
			t.Errorf("the end isn't said: %v", s.wants)
		}
		s.press("g", ")", ")")
		at("1-0")
		s.press("(", "(")
		at("0-0")
		if !slices.Contains(s.wants, screen.Effect(screen.Tell{Text: "No failed call before this one."})) {
			t.Errorf("the start isn't said: %v", s.wants)
		}
		s.page.Do(screen.Intent{Name: toFailed, N: 1})
		stale := s.page.pane.toFailed(1)()
		s.press("G")
		before := s.barLine()
		s.take(s.page.Took(stale))
		s.settle()
		if got := s.barLine(); got != before {
			t.Errorf("a late answer moves the bar from %q to %q", before, got)
		}
	})
}
