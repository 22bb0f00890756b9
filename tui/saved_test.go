package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestSavedSearch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		opts, asked, fails := testOptions(), "", error(nil)
		opts.Saved = []string{"is:starred"}
		opts.SaveSearch = func(_ context.Context, text string) ([]string, bool, error) {
			asked = text
			return []string{text, "is:starred"}, true, fails
		}
		m := testModel(t, testSource(), opts, 120, 36)
		press(t, m, "s", "t", "e", "a", "ctrl+s")
		if got := plain(t, m); asked != "tea" || !strings.Contains(got, "Saved “tea”.") {
			t.Errorf("asked %q:\n%s", asked, got)
		}
		press(t, m, "esc", ":", "“", "t", "e")
		if got := plain(t, m); !strings.Contains(got, "Search “tea”") {
			t.Errorf("the palette doesn't list it:\n%s", got)
		}
		press(t, m, "enter")
		if got := plain(t, m); !strings.Contains(got, "/ tea") {
			t.Errorf("the search isn't opened:\n%s", got)
		}
		fails = errors.New("disk full")
		if press(t, m, "ctrl+s"); !strings.Contains(plain(t, m), "✗ The search could not be saved. Disk full.") {
			t.Errorf("no error:\n%s", plain(t, m))
		}
	})
}
