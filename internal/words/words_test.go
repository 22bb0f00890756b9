package words

import (
	"testing"
	"time"
)

func TestInside(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC)
	for _, tt := range []struct {
		ago         time.Duration
		inside, day string
	}{
		{time.Hour, "today 14:52", "today"},
		{24 * time.Hour, "yesterday 15:52", "yesterday"},
		{7 * 24 * time.Hour, "Nov 14 15:52", "Nov 14"},
		{400 * 24 * time.Hour, "2025 Oct 17", "2025 Oct 17"},
	} {
		at := now.Add(-tt.ago)
		if a, b := Inside(now, at), DayInside(now, at); a != tt.inside || b != tt.day {
			t.Errorf("%s ago: %q, %q", tt.ago, a, b)
		}
	}
}

func TestSizeOf(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B of 1.9 GB", 340e6: "340 MB of 1.9 GB", 1.2e9: "1.2 of 1.9 GB"} {
		if got := SizeOf(n, 1.9e9); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"a b": "A b.", "A.": "A.", "": "Unknown error.", "ü": "Ü."} {
		if got := Sentence(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := AndList(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for age, want := range map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 3 * time.Second: "3 s ago", 2 * time.Minute: "2 min ago", 23 * time.Hour: "23 h ago",
		59 * day: "59 d ago", 70 * day: "2 months ago", 400 * day: "1 year ago", 800 * day: "2 years ago",
	} {
		if got := Ago(now, now.Add(-age)); got != want {
			t.Errorf("%s: %q, want %q", age, got, want)
		}
	}
	if got := Ago(now, time.Time{}); got != "" {
		t.Errorf("no time: %q", got)
	}
}
