package render_test

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestStillKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		known, of int
		tokens    int64
		want      string
	}{
		{38, 412, 212_000, "Claude still knows 38 of 412 messages, 212k tokens"},
		{0, 1, 0, "Claude still knows 0 of 1 message"},
		{1, 1, 900, "Claude still knows the message, 900 tokens"},
		{1_200, 1_200, 0, "Claude still knows all 1,200 messages"},
	} {
		if got := render.StillKnown(c.known, c.of, c.tokens); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestLastUsed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		5 * time.Minute:             "last used 5 min ago: prompt cache probably still valid",
		5*time.Minute + time.Second: "last used 5 min ago: prompt cache may have expired",
		time.Hour:                   "last used 1 h ago: prompt cache may have expired",
		14 * time.Hour:              "last used 14 h ago: prompt cache probably expired",
	} {
		row := &sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{First: now.Add(-ago), Last: now.Add(-ago)}}
		if got := render.LastUsed(row, now); got != want {
			t.Errorf("%v: %q, want %q", ago, got, want)
		}
	}
	if got := render.LastUsed(&sessions.Row{}, now); got != "" {
		t.Errorf("without a time: %q", got)
	}
}
