package tui

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// TestAttention: only the Ledger screen shows the attention level of a live session.
func TestAttention(t *testing.T) {
	t.Parallel()
	for _, due := range []bool{false, true} {
		s := testSource()
		s.batches[0].Rows[0].Attention = &sessions.Attention{Level: "yellow", Used: 6_200, Fresh: 6_200, Due: due}
		m := testModel(t, s, testOptions(), 120, 36)
		for _, place := range []string{"list", "reader"} {
			screen := plain(t, m)
			if strings.Contains(screen, "yellow") || strings.Contains(screen, "6.2k") || strings.Contains(screen, "attention") {
				t.Errorf("%s shows the level:\n%s", place, screen)
			}
			if has := strings.Contains(screen, "a delta is due: run continuo delta"); has != due {
				t.Errorf("%s: want the message: %v, got:\n%s", place, due, screen)
			}
			press(t, m, "enter")
		}
		press(t, m, "esc", "down")
		if screen := plain(t, m); strings.Contains(screen, "a delta is due") {
			t.Errorf("another row shows the message:\n%s", screen)
		}
	}
}
