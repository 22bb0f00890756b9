package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
)

// TestMadeAt: every time that the list prints can be typed, in the place of the person.
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
			t.Errorf("%q is no time", c.word)
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
			t.Errorf("%q is a time", word)
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

// TestBackupTimes: a time names a backup in every command, and where it fits several they are told.
func TestBackupTimes(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_compact", 1, "tea", 2, "")
	k.backup("20261121_110240Z_exit", 1, "tea", 2, "")
	k.backup("20261120_184207Z_exit", 1, "tea", 2, "")
	k.backup("20261117_151900Z_exit", 2, "pantry", 2, "")
	k.session(3, "pantry", 1)
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"backup show Yesterday 18:42":                           {out.ExitDone, "made       2026-11-20 18:42:07, at the end of its session: exit\n"},
		"backup discard 18:42 --dry-run":                        {out.ExitDone, "raw/20261120_184207Z_exit.jsonl"},
		"backup discard Yesterday 18:42 Nov 17 15:19 --dry-run": {out.ExitDone, "Touched    2 files, "},
		"backup restore 2026-11-17 --dry-run":                   {out.ExitDone, "1 new file: the session of Nov 17 15:19"},
		"backup verify Nov 17 15:19":                            {out.ExitDone, "no-record\t"},
		"backup show Today 11:02":                               {out.ExitFailed, "2 backups fit the time \"Today 11:02\". Name one by its file.\n    20261121_110240Z_exit     Today 11:02  tea  3f9ac1e1\n"},
		"backup verify 20261121":                                {out.ExitFailed, "2 backups begin with 20261121. Say more of the name."},
		"backup verify " + k.id(1)[:8]:                          {out.ExitDone, "ok-by-transcript\t"},
		"backup verify 3f9a":                                    {out.ExitFailed, "4 backups are of sessions that begin with 3f9a. Say more of the id."},
		"backup restore Today 11:03 --dry-run":                  {out.ExitNone, "No backup has the name, time or session \"Today 11:03\"."},
		"backup restore Yesterday 18:42 20261121 --dry-run":     {out.ExitFailed, "restore takes one backup"},
	} {
		code, stdout, stderr := k.run("tea", "-", strings.Fields(line)...)
		if code != want.code || !strings.Contains(stdout+stderr, want.text) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", line, code, want.code, stdout, stderr)
		}
	}
}
