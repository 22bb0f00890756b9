package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/dialog"
)

func testLogged() survey.Timeline {
	const dir = teahouse + "/grimoires/loa/a2a/trajectory"
	entry := func(ago time.Duration, agent, phase, what string, line int) survey.TimelineEntry {
		at := testNow().Add(-ago)
		file := dir + "/" + agent + "-" + at.Format(time.DateOnly) + ".jsonl"
		verdict := ""
		if phase == trajectory.PhaseGrounding {
			verdict = `,"verdict":"passed"`
		}
		return survey.TimelineEntry{
			At: at, Stands: at, Agent: agent, Phase: phase, What: what, File: file, Line: line,
			Raw: fmt.Sprintf(`{"ts":%q,"agent":%q,"phase":%q,"claim":%q,"status":"pass"%s}`, at.Format(time.RFC3339), agent, phase, what, verdict),
		}
	}
	return survey.Timeline{
		Dir: dir, Files: 3, Records: 1243, Today: 4, Earlier: 1239, At: testNow(), Left: 1236,
		Entries: []survey.TimelineEntry{
			entry(2*time.Minute, "implementing-tasks", "grounding_check", "0.97 (needs 0.95), 38 of 39 claims", 9),
			entry(20*time.Minute, "implementing-tasks", "cite", "The leeway is added on both sides", 8),
			entry(25*time.Minute, "implementing-tasks", "cite", "Guest tokens go through the same check", 7),
			entry(3*time.Hour, "reviewing-code", "negative_ground", "No other place compares days", 1),
			entry(22*time.Hour, "implementing-tasks", "session_handoff", "tea-41, ratio 0.97", 4),
			entry(24*time.Hour, "implementing-tasks", "cite", "A holiday is a rule with a span of one day", 3),
			entry(8*24*time.Hour, "riding-codebase", "cite", "The waitlist promotes on cancel", 2),
		},
	}
}

func TestLoggedGolden(t *testing.T) {
	t.Parallel()
	live := func(f *fakeLedgers, keys ...string) func(t *testing.T, w, h int) *model {
		return func(t *testing.T, w, h int) *model {
			t.Helper()
			return ledgerModel(t, f, w, h, keys...)
		}
	}
	full := func(t *testing.T) *fakeLedgers {
		t.Helper()
		return &fakeLedgers{ledger: testLedger(t), logged: testLogged()}
	}
	to := func(name string, keys ...string) []string {
		list := []string{"/"}
		for _, c := range name {
			list = append(list, string(c))
		}
		return append(append(list, "enter"), keys...)
	}
	for name, keys := range map[string][]string{
		"today": to("today", "enter", "j"), "earlier": to("earlier", "enter"), "open": to("earlier", "enter", "j", "enter"),
		"filter": append(to("earlier", "enter"), to("agent:impl")...), "outline": nil,
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("logged-%s-%dx%d", name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					golden(t, name, plain(t, live(full(t), keys...)(t, size[0], size[1])))
				})
			})
		}
	}
}

// TestLoggedOfOne: all records have the same agent, so only the title shows it.
func TestLoggedOfOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		logged := testLogged()
		for i := range logged.Entries {
			logged.Entries[i].Agent = "implementing-tasks"
		}
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t), logged: logged}, size[0], size[1], "/", "t", "o", "d", "a", "y", "enter", "enter")
			if got := plain(t, m); strings.Count(got, "implementing-tasks") != 1 || !strings.Contains(got, "0.97 (needs 0.95), 38 of 39 claims") {
				t.Errorf("%v:\n%s", size, got)
			}
		}
	})
}

// TestLogged: records can be filtered by agent and phase, copied, and opened in the editor.
func TestLogged(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), logged: testLogged()}
		typed := func(m *model, text string) {
			for _, c := range text {
				press(t, m, string(c))
			}
		}
		m := ledgerModel(t, f, 120, 36, "/")
		typed(m, "earlier")
		press(t, m, "enter", "enter")
		records := func() int {
			n := 0
			for blocks, i := peekIn(m.ledger, "content", "blocks"), 0; i < blocks.Len(); i++ {
				if blocks.Index(i).FieldByName("key").FieldByName("line").Int() > 0 {
					n++
				}
			}
			return n
		}
		if press(t, m, "/"); records() != 3 || !strings.Contains(plain(t, m), "agent:  phase:  or words") {
			t.Errorf("%d records are listed:\n%s", records(), plain(t, m))
		}
		press(t, m, "enter")
		for pattern, want := range map[string]int{
			"agent:impl": 2, "agent:impl phase:cite": 1, "phase:cite": 2, "phase:handoff": 1, "waitlist": 1, "agent:nobody": 0, "phase:cite waitlist agent:rid": 1, "agent:": 3,
		} {
			press(t, m, "/", "ctrl+u")
			typed(m, pattern)
			if press(t, m, "enter"); records() != want {
				t.Errorf("%q leaves %d records", pattern, records())
			}
			if want > 0 && want < 3 && peekIn(m.ledger, "content", "blocks", 0, "head").String() == "" {
				t.Errorf("%q: the records have no day", pattern)
			}
		}
		if !strings.Contains(plain(t, m), "Only the newest 7 records were searched") {
			t.Errorf("no message about records that weren't searched:\n%s", plain(t, m))
		}
		press(t, m, "esc", "g")
		a := m.Actions.(*fakeActions)
		if press(t, m, "y"); len(a.quotes) != 1 || a.quotes[0].Text != f.logged.Entries[4].Raw {
			t.Errorf("copied %+v", a.quotes)
		}
		if press(t, m, "enter"); !strings.Contains(plain(t, m), `"phase": "session_handoff"`) {
			t.Errorf("enter doesn't open the record:\n%s", plain(t, m))
		}
		press(t, m, "e")
		if want := fmt.Sprint(f.logged.Entries[4].File, ":", 4); fmt.Sprint(a.edited) != "["+want+"]" {
			t.Errorf("edited %q", a.edited)
		}
		settle(t, m, func() tea.Msg { return resumedMsg{} })
		f.logged.Entries[4].File += ".gz"
		if press(t, m, "ctrl+r", "e"); m.status.text != "e edit: the file is compressed" || len(a.edited) != 1 {
			t.Errorf("compressed: message %q, edited %q", m.status.text, a.edited)
		}
		facts := peekIn(m.ledger, "facts").Pointer()
		if press(t, m, "ctrl+r"); peekIn(m.ledger, "facts").Pointer() != facts {
			t.Error("reading the same records counts as a change")
		}
		f.logged.Records++
		if press(t, m, "ctrl+r"); peekIn(m.ledger, "facts").Pointer() == facts {
			t.Error("a new record doesn't count as a change")
		}
		f.loggedErr = errors.New("permission denied")
		if press(t, m, "ctrl+r", "h", "esc"); strings.Contains(plain(t, m), "Trajectory") || !strings.Contains(plain(t, m), "remarks") {
			t.Errorf("an error:\n%s", plain(t, m))
		}
	})
}

// TestLoggedGate: the handover shows when each gate last passed.
func TestLoggedGate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), logged: testLogged()}
		if s := plain(t, ledgerModel(t, f, 120, 36, "c")); !strings.Contains(s, "passed 2 min ago") || !strings.Contains(s, "passed 22 h ago") {
			t.Errorf("with both:\n%s", s)
		}
		check := &f.logged.Entries[0]
		was := check.Raw
		f.logged.Left = 0
		for raw, want := range map[string]string{
			`{"status":"fail","verdict":"passed"}`:   "passed 2 min ago", // passed although claims failed, as enforcement "warn" allows
			`{"status":"pass","verdict":"rejected"}`: "never passed",     // rejected by another step
			`{"status":"pass","verdict":"unknown"}`:  "never passed",
			`{"status":"pass"}`:                      "", // the spec's own tool writes records without a verdict
			`{"status":"pass","verdict":1}`:          "",
		} {
			check.Raw = raw
			s := plain(t, ledgerModel(t, f, 120, 36, "c"))
			if want != "" && !strings.Contains(s, want) || !strings.Contains(s, "passed 22 h ago") || want == "" && strings.Count(s, "passed") != 1 {
				t.Errorf("%s: no %q, or a different text:\n%s", raw, want, s)
			}
		}
		check.Raw, f.logged.Left = was, 1236
		f.logged.Entries = f.logged.Entries[1:4]
		if s := plain(t, ledgerModel(t, f, 120, 36, "c")); strings.Contains(s, "passed") {
			t.Errorf("with older records that weren't read:\n%s", s)
		}
		f.logged.Left = 0
		if s := plain(t, ledgerModel(t, f, 120, 36, "c")); strings.Count(s, "never passed") != 2 {
			t.Errorf("with none:\n%s", s)
		}
	})
}

// TestLoggedGateOnce: both gates share one read of the trajectory. Closing the dialog cancels the read.
func TestLoggedGateOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), logged: testLogged()}
		for name, closes := range map[string]string{"esc": "esc", "a gate": "g"} {
			m := ledgerModel(t, f, 120, 36, "tab")
			f.timelines = nil
			if press(t, m, "c"); len(f.timelines) != 1 || f.timelines[0].Err() != nil || !strings.Contains(plain(t, m), "passed 2 min ago") || !strings.Contains(plain(t, m), "passed 22 h ago") {
				t.Fatalf("%s: read %d times:\n%s", name, len(f.timelines), plain(t, m))
			}
			m.Update(keyPress(closes))
			if shows[*dialog.Handover](m) || f.timelines[0].Err() == nil {
				t.Errorf("%s: the read isn't cancelled", name)
			}
		}
	})
}

func TestLoggedMany(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), logged: testLogged()}
		one := f.logged.Entries[6]
		for i := range 1000 {
			one.Line = i + 10
			f.logged.Entries = append(f.logged.Entries, one)
		}
		f.logged.Earlier, f.logged.Left = 1003, 0
		m := ledgerModel(t, f, 120, 36, "/", "e", "a", "r", "l", "i", "e", "r", "enter", "enter", "pgdown", "j", "G", "g")
		n := 0
		for lines, i := peekIn(m.ledger, "content", "lines"), 0; i < lines.Len(); i++ {
			if !lines.Index(i).IsNil() {
				n++
			}
		}
		if peekIn(m.ledger, "content", "blocks").Len() < 1000 || n > 300 {
			t.Errorf("%d of %d blocks are drawn", n, peekIn(m.ledger, "content", "blocks").Len())
		}
	})
}

func TestLedgerAttention(t *testing.T) {
	open := func(t *testing.T, a *sessions.Attention, w, h int, keys ...string) *model {
		t.Helper()
		s := testSource()
		s.batches[0].Rows[0].Attention = a
		l := testLedger(t)
		l.Project.Config.Attention.Yellow, l.Project.Config.Attention.Orange, l.Project.Config.Attention.Red = 5000, 10_000, 15_000
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{}, Changes: &fakeChanges{}, Ledgers: &fakeLedgers{ledger: l, logged: testLogged()}}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
		settle(t, m, m.load())
		settle(t, m, m.toTab(ledgerTab))
		press(t, m, keys...)
		return m
	}
	bubble(t, func(t *testing.T) {
		for _, size := range screenSizes() {
			m := open(t, &sessions.Attention{Level: "green", Used: 3100, Fresh: 3100}, size[0], size[1], "G")
			golden(t, fmt.Sprintf("ledger-attention-%dx%d", size[0], size[1]), plain(t, m))
		}
		for _, test := range []struct {
			a    sessions.Attention
			want []string
		}{
			{sessions.Attention{Level: "yellow", Used: 6200, Fresh: 1200}, []string{"6.2k of 10k tokens", "about 1.2k tokens since", "This is advice only"}},
			{sessions.Attention{Level: "red", Used: 21_000, Fresh: 21_000, Due: true}, []string{"21k tokens", "△", "continuo delta"}},
		} {
			s := plain(t, open(t, &test.a, 120, 36, "G"))
			for _, want := range test.want {
				if !strings.Contains(s, want) {
					t.Errorf("%+v: no %q in\n%s", test.a, want, s)
				}
			}
		}
		if s := plain(t, open(t, nil, 120, 36)); strings.Contains(s, "Attention") {
			t.Errorf("without a live session:\n%s", s)
		}
	})
}
