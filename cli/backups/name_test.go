package backups

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
)

// TestMadeAt: the time formats of the list, in the local time zone.
func TestMadeAt(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 11, 21, 23, 52, 0, 0, zone)
	at := func(text string) time.Time {
		made, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	made := map[string]time.Time{
		"today": at("2026-11-21T21:38:07Z"), "yesterday": at("2026-11-20T16:42:59Z"), "earlier": at("2026-11-17T13:19:00Z"),
		"past midnight": at("2026-11-16T22:30:00Z"), "last year": at("2025-11-17T13:19:00Z"),
	}
	for _, c := range []struct {
		word string
		want string
	}{
		{"Today 23:38", "today"},
		{"today  23:38", "today"},
		{"Yesterday 18:42", "yesterday"},
		{"yesterday", "yesterday"},
		{"Nov 17 15:19", "earlier"},
		{"nov 17 15:19", "earlier"},
		{"23:38", "today"},
		{"0:30", "past midnight"},
		{"15:19", "earlier, last year"},
		{"2026-11-17", "earlier, past midnight"},
		{"Nov 17", "earlier, past midnight"},
		{"2026-11-17 15:19", "earlier"},
		{"2025 Nov 17", "last year"},
		{"2025 Nov 17 15:19", "last year"},
		{"20261121_2338", "today"},
		{"20261121_233807", "today"},
		{"20261121_233808", ""},
		{"20261121_2138", ""},
		{"Today 23:39", ""},
		{"Nov 18 15:19", ""},
	} {
		fits := madeAt(c.word, now)
		if fits == nil {
			t.Errorf("%q was not parsed as a time", c.word)
			continue
		}
		var got []string
		for name, made := range made {
			if fits(made) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
	for _, word := range []string{"", " ", "20261121", "2026", "3f9ac1e0", "24:00", "Nov 31", "Today 23:38 x", "exit"} {
		if madeAt(word, now) != nil {
			t.Errorf("%q was parsed as a time", word)
		}
	}
	for days := range 400 {
		made := now.AddDate(0, 0, -days).UTC()
		if word := words.Moment(now, made); madeAt(word, now) == nil || !madeAt(word, now)(made) {
			t.Errorf("%q is not %s", word, made)
		}
	}
}

func TestBackupWords(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                                 "",
		"3f9a":                             "3f9a",
		"Today 11:02":                      "Today 11:02",
		"3f9a Nov 17 15:19 20261121 11:02": "3f9a|Nov 17 15:19|20261121|11:02",
		"2025 Nov 17 Yesterday 18:42":      "2025 Nov 17|Yesterday 18:42",
		"2026-11-17 2026-11-18 15:19":      "2026-11-17|2026-11-18 15:19",
		"Nov":                              "Nov",
	} {
		if got := strings.Join(backupWords(strings.Fields(line), now()), "|"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }
