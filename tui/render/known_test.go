package render_test

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
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
		{1, 1, 900, "1 message, 900 tokens"},
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

// TestReadAgain: there is no price if the model's price or the context's size is unknown.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	prices := resume.Prices{Date: "2026-10-01", Models: map[string]resume.Price{"opus": {Input: 5, CacheRead: 0.5}, "claude-opus-4-1": {Input: 15, CacheRead: 1.5}}}
	for _, c := range []struct {
		model  string
		tokens int64
		ago    time.Duration
		want   string
	}{
		{"claude-opus-5-5", 61_400, time.Hour, "about $0.31 to read again (prices of 2026-10-01)"},
		{"claude-opus-4-1", 61_400, time.Hour, "about $0.92 to read again (prices of 2026-10-01)"},
		{"claude-opus-5-5", 61_400, time.Minute, "about $0.03 to read again (prices of 2026-10-01)"},
		{"claude-opus-5-5", 1_000, time.Minute, "less than $0.01 to read again (prices of 2026-10-01)"},
		{"claude-haiku-4-5", 61_400, time.Hour, ""},
		{"claude-opus-5-5", 0, time.Hour, ""},
		{"", 61_400, time.Hour, ""},
	} {
		row := sessions.Row{Kind: sessions.KindSession}
		row.ContextTokens, row.Last = c.tokens, now.Add(-c.ago)
		if c.model != "" {
			row.Models = []string{"claude-haiku-4-5", c.model}
		}
		if got := render.ReadAgain(&prices, &row, now); got != c.want {
			t.Errorf("%s, %d tokens, %s ago: %q, want %q", c.model, c.tokens, c.ago, got, c.want)
		}
	}
}
