package tui

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// What a live session has used of its attention budget stands in its row, in the preview, in the reader and, once a
// delta is due, in the status line.
func TestAttention(t *testing.T) {
	t.Parallel()
	for _, due := range []bool{false, true} {
		s := testSource()
		level, used := "green", int64(1_200)
		if due {
			level, used = "yellow", 6_200
		}
		s.batches[0].Rows[0].Attention = &sessions.Attention{Level: level, Used: used, Fresh: used, Due: due}
		m := testModel(t, s, testOptions(), 120, 36)
		screen := plain(t, m)
		lines := strings.Split(screen, "\n")
		status := lines[len(lines)-3]
		words := map[bool]string{false: "green 1.2k", true: "yellow 6.2k"}[due]
		if strings.Count(screen, words) < 2 || !strings.Contains(screen, words+"  live") || !strings.Contains(screen, "attention "+words) {
			t.Errorf("the list does not say %q:\n%s", words, screen)
		}
		if has := strings.Contains(status, "delta due: continuo delta"); has != due {
			t.Errorf("due %v, and the status is %q", due, status)
		}
		press(t, m, "down")
		if status = strings.Split(plain(t, m), "\n")[len(lines)-3]; strings.Contains(status, "delta") {
			t.Errorf("the status of another row: %q", status)
		}
		press(t, m, "up", "enter")
		screen = plain(t, m)
		if lines = strings.Split(screen, "\n"); !strings.Contains(lines[0], "attention "+words+"   ● live") {
			t.Errorf("the title of the reader: %q", lines[0])
		}
		if has := strings.Contains(screen, "delta due: continuo delta"); has != due {
			t.Errorf("due %v, and the reader has\n%s", due, screen)
		}
		small := testModel(t, s, testOptions(), 80, 24)
		if screen := plain(t, small); !strings.Contains(screen, words+"  live") {
			t.Errorf("80 cells:\n%s", screen)
		}
		plain(t, testModel(t, s, testOptions(), 40, 10))
	}
}
