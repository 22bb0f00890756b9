package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// relatives returns the sessions of the family in the mock screens, and an unrelated session.
func relatives() []sessions.Row {
	const h, d = time.Hour, 24 * time.Hour
	id := func(i int) string { return fmt.Sprintf("%08d-71c4-4e0d", i) }
	from := func(messages int, kind transcript.OriginKind, of string, copied int, more func(*sessions.Row)) func(*sessions.Row) {
		return func(r *sessions.Row) {
			r.Messages, r.Origin = messages, transcript.Origin{Kind: kind, Session: of, Copied: copied}
			if more != nil {
				more(r)
			}
		}
	}
	lost := rowtest.Lost("00000002", "Reproduce the logout with a fake clock", "2026-11-19 18:42", 2*d, func(r *sessions.Row) {
		r.Messages, r.Agents = 93, []string{"one", "two"}
		r.Origin = transcript.Origin{Kind: transcript.OriginClear, Cleared: testNow().Add(-3*d + h)}
	})
	live := func(r *sessions.Row) {
		r.Flags, r.Live = []sessions.Flag{sessions.FlagLive}, &sessions.Live{Status: sessions.StatusBusy}
	}
	return []sessions.Row{
		testRow("00000001", "Why do guests log out at night?", 3*d, from(58, "", "", 0, nil)),
		lost,
		testRow("00000003", "Try a sliding window instead", 2*d, from(31, transcript.OriginFork, id(2), 41, nil)),
		testRow("00000004", "Sliding window, without the index", d, from(9, transcript.OriginFork, id(3), 12, nil)),
		testRow("00000005", "Fix refresh token race at midnight", 2*time.Minute, from(142, transcript.OriginFork, id(2), 77, live)),
		testRow("00000006", "The same for admin tokens", 8*time.Minute, from(6, transcript.OriginPlan, id(5), 0, nil)),
		testRow("00000007", "Rate limit for the public calendar", h, from(176, "", "", 0, nil)),
		testRow("00000008", "Seed data for the demo tenant", 5*h, from(47, transcript.OriginFork, id(99), 12, nil)),
	}
}

func familyModel(t *testing.T, rows []sessions.Row, w, h int) *model {
	t.Helper()
	s := testSource()
	s.batches[0].Rows = rows
	return testModel(t, s, testOptions(), w, h)
}

func TestFamilyGolden(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{
		"family": "T", "family-fork": "Tkk", "family-lost": "Tg jjj", "family-branch": "Tg j", "family-compaction": "Tg jj", "family-none": "jjT", "family-missing": "jjjT", "family-above": "jjjTk", "family-help": "T?",
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m := familyModel(t, relatives(), size[0], size[1])
					press(t, m, typedKeys(strings.ReplaceAll(keys, " ", ""))...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestFamily: enter opens a session, and esc returns to the family.
func TestFamily(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := familyModel(t, relatives(), 120, 36)
		press(t, m, "T", "k", "enter")
		if !m.isReading() || m.subject().Name != "Sliding window, without the index" {
			t.Fatalf("enter opened %q", m.subject().Name)
		}
		press(t, m, "T", "k", "k", "k", "k", "k", "k", "enter") // past its origin, the other fork with its plan, and two sub-agents
		if !m.isReading() || m.subject().Kind != sessions.KindBackup {
			t.Fatalf("enter opened %+v, want the backup of the session", m.subject())
		}
		press(t, m, "esc", "esc", "esc")
		if got := m.subject(); got.Name != "Sliding window, without the index" {
			t.Errorf("esc led to %q, want the session that was selected", got.Name)
		}
		press(t, m, "esc")
		if got := selectedTitle(m); got != "Fix refresh token race at midnight" || m.top().screen != m.lists {
			t.Errorf("esc led to %q, want the list", got)
		}
		press(t, m, "j", "j", "j", "T", "k", "enter")
		if m.isReading() || !strings.Contains(m.status.text, "not here") {
			t.Errorf("enter on a missing session says %q", m.status.text)
		}
		another := testRow("00000009", "One more fork", time.Minute, func(r *sessions.Row) {
			r.Origin = transcript.Origin{Kind: transcript.OriginFork, Session: "00000099-71c4-4e0d", Copied: 3}
		})
		m.Update(changedMsg{batch: sessions.Batch{Rows: []sessions.Row{another}}})
		if got := plain(t, m); !strings.Contains(got, "One more fork") || !strings.Contains(got, "▌ ✗ 00000099") {
			t.Errorf("after a change the family is\n%s", got)
		}
	})
}

// TestFamilySteps: enter on a sub-agent, a hidden branch or a compaction opens the conversation there.
func TestFamilySteps(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := familyModel(t, relatives(), 120, 36)
		bar := func() string {
			t.Helper()
			for line := range strings.Lines(plain(t, m)) {
				if strings.HasPrefix(line, "▌") {
					return strings.Join(strings.Fields(line), " ")
				}
			}
			t.Fatalf("no bar:\n%s", plain(t, m))
			return ""
		}
		press(t, m, "T", "g", "j")
		if got := bar(); !strings.HasPrefix(got, "▌ ┠─ ◇ An older question that was asked aga… hidden branch 1h 2") {
			t.Errorf("the bar is on %q", got)
		}
		if got := plain(t, m); !strings.Contains(got, "◇ 2 messages are on a hidden branch.") {
			t.Errorf("the preview of a branch:\n%s", got)
		}
		if press(t, m, "f"); !strings.Contains(plain(t, m), "up to the end of the branch") {
			t.Errorf("f on a branch:\n%s", plain(t, m))
		}
		press(t, m, "esc", "enter")
		if got := bar(); !m.isReading() || m.subject().Name != "Why do guests log out at night?" || !strings.HasPrefix(got, "▌ ◇ Branch 1 · 2 messages") {
			t.Errorf("enter on a branch opened %q at %q", m.subject().Name, got)
		}
		press(t, m, "esc", "j", "enter")
		if got := bar(); !m.isReading() || !strings.Contains(got, "≡") {
			t.Errorf("enter on a compaction opened %q at %q", m.subject().Name, got)
		}
		press(t, m, "esc", "j", "j", "enter")
		if row := m.subject(); !m.isReading() || row.Path != "one" || !strings.HasPrefix(row.Name, "Tokens issued") {
			t.Errorf("enter on a sub-agent opened %q, %q", row.Path, row.Name)
		}
		press(t, m, "esc")
		if got := bar(); !strings.Contains(got, "┠─ ▸ Tokens issued") {
			t.Errorf("esc led to %q", got)
		}
		if press(t, m, "z"); !strings.HasPrefix(bar(), "▌ ◐ Reproduce the logout") || strings.Contains(plain(t, m), "┠─ ▸") {
			t.Errorf("z leaves the sub-agents:\n%s", plain(t, m))
		}
		if press(t, m, "z"); !strings.Contains(plain(t, m), "┠─ ▸") {
			t.Errorf("z doesn't show the sub-agents:\n%s", plain(t, m))
		}
		press(t, m, "esc", "j", "j", "T")
		if got := plain(t, m); !strings.Contains(got, "Family  1 session, 1 hidden branch") || !strings.Contains(got, "≡ Compacted") {
			t.Errorf("a session without relatives:\n%s", got)
		}
	})
}
