package render

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
)

func TestAge(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	tests := map[time.Duration]string{
		-time.Hour: "now", 0: "0s", 40 * time.Second: "40s", 2 * time.Minute: "2m", 59 * time.Minute: "59m", 3 * time.Hour: "3h",
		23 * time.Hour: "23h", day: "1d", 52 * day: "52d", 60 * day: "2mo", 98 * day: "3mo", 364 * day: "12mo", 365 * day: "1y", 729 * day: "1y", 731 * day: "2y", 4000 * day: "10y",
	}
	for ago, want := range tests {
		got := Age(now, now.Add(-ago))
		if got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
		if len(got) > figureWidth {
			t.Errorf("%q does not fit its column", got)
		}
	}
	if got := Age(now, time.Time{}); got != "" {
		t.Errorf("an unknown time: %q", got)
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 9*3600)
	now := time.Date(2026, 1, 3, 0, 30, 0, 0, zone)
	tests := []struct {
		at   time.Time
		want string
	}{
		{now, "Today 00:30"},
		{now.Add(-31 * time.Minute).UTC(), "Yesterday 23:59"},
		{now.Add(24 * time.Hour), "Jan 4 00:30"},
		{now.AddDate(0, 0, -2), "Jan 1 00:30"},
		{now.AddDate(0, 0, -3), "2025 Dec 31"},
		{now.AddDate(1, 0, 0), "2027 Jan 3"},
		{time.Time{}, ""},
	}
	for _, test := range tests {
		got := words.Moment(now, test.at)
		if got != test.want {
			t.Errorf("%v: %q, want %q", test.at, got, test.want)
		}
		if len(got) > whenWidth {
			t.Errorf("%q does not fit its column", got)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", 2_000_000: "2,000,000", -1204: "−1,204"} {
		if got := words.Count(n); got != want {
			t.Errorf("words.Count(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0", 9_999: "9999", 10_000: "10k", 48_200: "48.2k", 99_999: "99.9k", 999_999: "999k", 1_300_000: "1.3M", 120_000_000: "120M", 2_000_000_000: "2G",
	} {
		if got := short(n); got != want {
			t.Errorf("Short(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1_000: "1.0k", 1_211: "1.2k", 9_999: "9.9k", 48_200: "48.2k", 306_000: "306k", 1_300_000: "1.3M"} {
		if got := Tokens(n); got != want {
			t.Errorf("Tokens(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0 B", 812: "812 B", 999: "999 B", 1_000: "1.0 kB", 4_849: "4.8 kB", 4_850: "4.9 kB", 9_949: "9.9 kB", 9_950: "10 kB",
		18_000: "18 kB", 25_994: "26 kB", 99_500: "100 kB", 999_499: "999 kB", 999_500: "1.0 MB", 1_400_000: "1.4 MB", 78_000_000: "78 MB",
		999_499_999: "999 MB", 999_500_000: "1.0 GB", 2_000_000_000: "2.0 GB", 61_400_000_000: "61 GB", 1<<63 - 1: "9223372037 GB",
	} {
		if got := words.Size(n); got != want {
			t.Errorf("words.Size(%d) = %q, want %q", n, got, want)
		}
	}
	if got := words.Counted(1, "message", "messages") + ", " + words.Counted(1204, "message", "messages"); got != "1 message, 1,204 messages" {
		t.Error(got)
	}
}

func TestGroup(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 9*3600)
	saturday := time.Date(2026, 11, 21, 0, 30, 0, 0, zone)
	monday, third := time.Date(2026, 11, 23, 9, 0, 0, 0, zone), time.Date(2026, 11, 3, 9, 0, 0, 0, zone)
	tests := []struct {
		now, at     time.Time
		name, dates string
	}{
		{saturday, saturday, "Today", "Sat Nov 21"},
		{saturday, saturday.Add(time.Hour), "Today", "Sat Nov 21"},
		{saturday, saturday.Add(-31 * time.Minute), "Yesterday", "Fri Nov 20"}, // the same day in UTC
		{saturday, saturday.AddDate(0, 0, -2), "This week", "Nov 16 to 19"},
		{saturday, saturday.AddDate(0, 0, -5), "This week", "Nov 16 to 19"},
		{saturday, saturday.AddDate(0, 0, -6), "Last week", "Nov 9 to 15"},
		{saturday, saturday.AddDate(0, 0, -13), "November 2026", "to Nov 8"},
		{saturday, saturday.AddDate(0, 0, -21), "October 2026", ""},
		{saturday, saturday.AddDate(-1, 0, 0), "November 2025", ""},
		{monday, monday.AddDate(0, 0, -1), "Yesterday", "Sun Nov 22"},
		{monday, monday.AddDate(0, 0, -2), "Last week", "Nov 16 to 21"},
		{monday.AddDate(0, 0, 2), monday, "This week", "Nov 23"},
		{third, third.AddDate(0, 0, -3), "Last week", "Oct 26 to Nov 1"},
		{third, third.AddDate(0, 0, -10), "October 2026", "to Oct 25"},
		{third, third.AddDate(0, 0, -40), "September 2026", ""},
	}
	for _, test := range tests {
		days := DaysOf(test.now)
		if name, dates := days.Heading(days.Key(test.at)); name != test.name || dates != test.dates {
			t.Errorf("%v on %v: %q %q, want %q %q", test.at, test.now, name, dates, test.name, test.dates)
		}
	}
}

// TestWrapUnits: a number and its unit stay on one line.
func TestWrapUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A leeway of 30 s, no more": "A leeway of|30 s, no more",
		"A file of all 1.4 MB.":     "A file of all|1.4 MB.",
		"They are now 62 % done":    "They are now|62 % done",
		"A leeway of 3 servers":     "A leeway of 3|servers",
	} {
		if got := strings.Join(Wrap(text, 14), "|"); got != want {
			t.Errorf("%q is wrapped to %q, want %q", text, got, want)
		}
	}
	if got := strings.Join(Markdown("A leeway of 30 s", 14, 14, NewStyles(None)), "|"); got != "A leeway of|30 s" {
		t.Errorf("markdown is wrapped to %q", got)
	}
}
