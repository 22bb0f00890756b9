package cli

import (
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/tui"
)

// TestBrowserPath: the user hasn't typed a path, so "Check the path." would be wrong.
func TestBrowserPath(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	b := browse.Ledgers{Env: w.deps().Env, O: w.deps().Output}
	gone := filepath.Join(w.home, "gone")
	for name, ask := range map[string]func() error{
		"gate":   func() error { _, err := b.Gate(t.Context(), gone, tui.GateAsk{}); return err },
		"ledger": func() error { _, err := b.Ledger(t.Context(), gone); return err },
		"recall": func() error { _, err := b.Recall(t.Context(), gone); return err },
	} {
		if err := ask(); err == nil || err.Error() != "There is no folder ~/gone." {
			t.Errorf("%s: %v", name, err)
		}
	}
}
