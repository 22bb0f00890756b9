package reader

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

func TestGoTo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{msgs: []transcript.Message{prompt("One."), answer(said("First.")), prompt("Two."), answer(said("Second."))}}
		for i, at := range []time.Time{testNow().Add(-25 * time.Hour), testNow().Add(-24 * time.Hour), testNow().Add(-2 * time.Hour), testNow().Add(-time.Hour)} {
			d.msgs[i].Time = at
		}
		d.ids = []string{"4711-a", "b0b2-0000-1", "b0b3-0000", "b0b3-0001"}
		s := read(t, d, 100, 8)
		for _, c := range []struct {
			text    string
			message int // -1: the bar stays
			says    string
		}{
			{"1", 0, ""},
			{"4", 3, ""},
			{"3", 2, ""},
			{"5", -1, "There is no message 5."},
			{"0", -1, "There is no message 0."},
			{"-1", -1, "There is no message -1."},
			{"yesterday", 0, ""},
			{"today", 2, ""},
			{"14:42", 3, ""},
			{"14:00", 3, ""},
			{"13:42", 2, ""},
			{"13:43", 3, ""},
			{"2026-11-20 15:00", 1, ""},
			{"00:00", 0, ""},
			{"2026-11-20", 0, ""},
			{"Today 14:00", 3, ""},
			{"16:00", -1, "The last message is earlier than that."},
			{"2027-01-01", -1, "The last message is earlier than that."},
			{"now", -1, "“now” is neither a number nor a time. An ID needs at least 4 characters."},
			{"noon", -1, "No message has the number, time or ID “noon”."},
			{"2026-13-01", -1, "No message has the number, time or ID “2026-13-01”."},
			{"b0b2", 1, ""},
			{"B0B2-0000", 1, ""},
			{"b0b3", -1, "2 messages begin with “b0b3”. Type more of the ID."},
			{"b0b3-0001", 3, ""},
			{"4711", 0, ""},
			{"", -1, ""},
		} {
			before := s.page.pane.cur.bar.message
			s.wants = nil
			s.take(s.page.Took(toTyped{c.text}))
			s.settle()
			want := c.message
			if want < 0 {
				want = before
			}
			if got := s.page.pane.cur.bar.message; got != want {
				t.Errorf("%q goes to message %d, not %d", c.text, got, want)
			}
			if c.says != "" && (len(s.wants) != 1 || s.wants[0] != screen.Effect(screen.Tell{Text: c.says})) {
				t.Errorf("%q says %v", c.text, s.wants)
			}
		}
	})
}
