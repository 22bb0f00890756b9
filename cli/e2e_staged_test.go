//go:build unix

package cli

import (
	"strings"
	"testing"
)

// TestE2EStaged: the real client sends a staged recovery only with the first prompt.
func TestE2EStaged(t *testing.T) {
	t.Parallel()
	const state = "The bowline is described, the sheet bend is next."
	w := newHookWorld(t, "continuo init --project --yes")
	put(t, w.code, "NOTES.md", "# Notes\n\n## Session Continuity\n\n### Active Context\n- **Reasoning State**: "+state+"\n")
	w.does(0, "continuo recover 1 --stage --yes")
	for _, want := range []bool{true, false} {
		w.begin("which knot is next")
		all := w.api.requests()
		if last := all[len(all)-1].Whole; strings.Contains(last, state) != want {
			t.Errorf("the model got the staged recovery: %v, want %v\n%s", !want, want, last[max(0, len(last)-4000):])
		}
		w.end()
	}
}
