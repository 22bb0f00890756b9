package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/screen"
)

const gateNotes = teahouse + "/grimoires/loa/NOTES.md"

// testGate returns the report of the mock screens.
func testGate() gate.Report {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 10, 0, 0, 0, time.UTC) }
	return gate.Report{
		Mode: gate.Full, Enforcement: ledger.Strict, Agent: "implementing-tasks", Agents: []string{"implementing-tasks", "reviewing-code"}, Day: "2026-11-21", At: testNow(), Verdict: gate.Rejected,
		Steps: []gate.Step{
			{
				N: 1, Name: "Grounding", Status: gate.Pass, Blocks: true, Figure: "0.97 (needs 0.95)", Note: "38 of 39 claims cite a source",
				Original: []string{"1.00 by the original script, which cannot see 2 records that are written with spaces"},
			},
			{N: 2, Name: "Negative grounding", Status: gate.Pass, Blocks: true, Figure: "0 unverified", Note: "3 ghosts, each with two queries"},
			{
				N: 3, Name: "Decision log", Status: gate.Fail, Blocks: true, Figure: "2 of 14 point to missing code", Note: "blocks", Lost: 2,
				Findings: []gate.Finding{
					{
						Title: "Opening hours are rules; a holiday is a rule with a span of one day", When: at(20), Ref: "${PROJECT_ROOT}/src/hours/calendar.go:31",
						What: "file is gone since 4f2c9ab", Fix: "point it at `src/hours/model.go:97`, where the quoted line now stands", File: gateNotes, Line: 268,
						Was: "calendar.go:31", Now: "model.go:97",
					},
					{
						Title: "Rate limits are per calendar, not per address", When: at(14), Ref: "${PROJECT_ROOT}/src/limit/bucket.go:140", What: "line 140 of a file with 112",
						Fix: "the quote is nowhere in the tree: correct the entry or mark it superseded", File: gateNotes, Line: 301,
					},
				},
				More: []string{"The other 12 decisions verified: 8 identifiers found as quoted, 1 moved."},
			},
			{N: 4, Name: "Bead", Status: gate.Pass, Figure: "tea-41 in progress", Note: "it has decisions and next steps"},
			{N: 5, Name: "Handoff", Status: gate.Pass, Figure: "record ready", Note: "will append 1 line to today's trajectory"},
			{N: 6, Name: "Decay to identifiers", Status: gate.Pass, Figure: "41 kB → 2.2 kB", Note: "every large file has an identifier"},
			{N: 7, Name: "Test scenarios", Status: gate.Warning, Figure: "2 of 3 wanted", Note: "warns only"},
		},
	}
}

func withGate(change func(*gate.Report)) gate.Report {
	r := testGate()
	change(&r)
	return r
}

// gateModel opens the full gate from the Ledger tab.
func gateModel(t *testing.T, f *fakeLedgers, w, h int, keys ...string) *model {
	t.Helper()
	if f.ledger.Notes == nil {
		f.ledger = testLedger(t)
	}
	return ledgerModel(t, f, w, h, append([]string{"c", "G"}, keys...)...)
}

func gateBar(m *model) (step int, finding *gate.Finding) {
	return m.top().screen.(*gateview.Page).Bar()
}

// bindingOf returns the first available binding of a key.
func bindingOf(m *model, key string) screen.Binding {
	for _, b := range keysIn(m, *m.front()) {
		if slices.Contains(b.Keys, key) && !b.Gone {
			return b
		}
	}
	return screen.Binding{}
}

func TestGateGolden(t *testing.T) {
	t.Parallel()
	passed := withGate(func(r *gate.Report) {
		r.Verdict, r.Enforcement = gate.Passed, ledger.Warn
		r.Steps[2] = gate.Step{N: 3, Name: "Decision log", Status: gate.Pass, Figure: "14 of 14 hold", Note: "1 has moved"}
	})
	unsure := withGate(func(r *gate.Report) {
		r.Verdict = gate.Unsure
		r.Steps[0] = gate.Step{N: 1, Name: "Grounding", Status: gate.Unknown, Blocks: true, Figure: "could not be checked", Note: "permission denied: implementing-tasks-2026-11-21.jsonl"}
		r.Steps[1].Status, r.Steps[1].Figure, r.Steps[1].Note = gate.Off, "off", "grounding.enforcement is disabled"
	})
	for _, test := range []struct {
		name   string
		report gate.Report
		err    error
		keys   []string
	}{
		{name: "failed", report: testGate()},
		{name: "finding", report: testGate(), keys: []string{"j", "j"}},
		{name: "end", report: testGate(), keys: []string{"G"}},
		{name: "folded", report: testGate(), keys: []string{"z"}},
		{name: "passed", report: passed},
		{name: "unsure", report: unsure},
		{name: "error", err: errors.New("there is nothing to check in ~/code/teahouse. Run continuo note to begin a ledger")},
		{name: "help", report: testGate(), keys: []string{"?"}},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("gate-%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m := gateModel(t, &fakeLedgers{gate: test.report, gateErr: test.err}, size[0], size[1], test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestGateMenu: the ledger, a list and the reader each open both gates. Esc returns there.
func TestGateMenu(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), gate: testGate()}
		for name, keys := range map[string][]string{"ledger": nil, "list": {"tab"}, "reader": {"tab", "enter"}} {
			m := ledgerModel(t, f, 120, 36, keys...)
			want, place := plain(t, m), where(m)
			for _, mode := range []string{"g", "G"} {
				f.gates = nil
				if press(t, m, "c", mode); !m.onGate() || fmt.Sprint(f.gates) != fmt.Sprintf("[teahouse %v]", mode == "G") {
					t.Fatalf("%s, %s: place %s, ran %v", name, mode, where(m), f.gates)
				}
				if press(t, m, map[string]string{"g": "esc", "G": "q"}[mode]); where(m) != place || m.onGate() {
					t.Errorf("%s, %s: esc goes to %s", name, mode, where(m))
				}
				if got := plain(t, m); got != want {
					t.Errorf("%s, %s: the screen has changed:\n%s", name, mode, diff(want, got))
				}
			}
		}
		m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, 120, 36, "tab")
		m.ledgers.has[teahouse] = false
		if press(t, m, "c", "g"); m.status.text != "Gate: no ledger in this project" {
			t.Errorf("without a ledger: message %q", m.status.text)
		}
	})
}

// TestGateNotHere: the handover disables the gates if they can't run, and shows the reason.
func TestGateNotHere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for want, f := range map[string]*fakeLedgers{
			"Gate: no ledger in this project":     {ledger: testLedger(t), logged: survey.Timeline{Bare: true}},
			"Gate: there is no folder ~/teahouse": {ledger: testLedger(t), loggedErr: errors.New("There is no folder ~/teahouse. Check the path.")},
		} {
			m := ledgerModel(t, f, 120, 36, "tab")
			if press(t, m, "c"); !strings.Contains(plain(t, m), strings.TrimPrefix(want, "Gate: ")) {
				t.Errorf("the menu doesn't show %q:\n%s", want, plain(t, m))
			}
			if press(t, m, "g"); m.onGate() || m.status.text != want {
				t.Errorf("message %q, want %q", m.status.text, want)
			}
		}
	})
}

// TestGateOfSession: in a list, the gate checks the selected session. On the ledger, the gate checks the newest
// session.
func TestGateOfSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), gate: testGate()}
		m := ledgerModel(t, f, 120, 36, "c", "G", "esc")
		newest := m.ledger.Subject().Row.ID
		press(t, m, "tab", "down")
		row := m.lists.Subject().Row
		if row == nil || row.ID == newest || row.Project != teahouse {
			t.Fatalf("the bar is on %+v, the newest is %s", row, newest)
		}
		press(t, m, "c", "g", "c", "ctrl+r")
		if want := fmt.Sprintf("[ %[1]s %[1]s %[1]s]", row.ID); fmt.Sprint(f.gatesOf) != want {
			t.Errorf("ran for %v, want %s", f.gatesOf, want)
		}
	})
}

func TestGateByName(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), gate: testGate()}
		m := ledgerModel(t, f, 60, 18, "tab")
		press(t, m, ":", "f", "u", "l", "l", " ", "g", "a", "t", "e", "enter")
		if !m.onGate() || fmt.Sprint(f.gates) != "[teahouse true]" || f.gatesOf[0] == "" {
			t.Errorf("on screen %s, ran %v for %q", where(m), f.gates, f.gatesOf)
		}
		m = ledgerModel(t, f, 120, 36, "tab")
		m.ledgers.has[teahouse] = false
		if press(t, m, ":", "g", "a", "t", "e", "enter"); m.status.text != "Gate: no ledger in this project" {
			t.Errorf("without a ledger: %q", m.status.text)
		}
	})
}

// TestUpdateReadsNoClock: a key press uses the time of the last clock message.
func TestUpdateReadsNoClock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		inside, f := false, &fakeLedgers{ledger: testLedger(t), gate: testGate(), logged: testLogged()}
		o := testOptions()
		o.Now = func() time.Time {
			if inside {
				t.Error("the clock is read")
			}
			return testNow()
		}
		s := testSource()
		s.batches[0].Rows = append(s.batches[0].Rows, testRow("x", "A copy", time.Minute, func(r *sessions.Row) {
			r.Kind, r.Path, r.ID, r.Created = sessions.KindBackup, "/b/x.jsonl", "x", testNow()
		}))
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{}, Changes: &fakeChanges{}, Projects: &fakeProjects{facts: fullProject()}, Ledgers: f}, o)
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		seen := map[string]bool{}
		for _, key := range []string{"c", "G", "ctrl+r", "esc", "P", "ctrl+r", "esc", "shift+tab", "ctrl+r", "tab", "tab", "w", "esc", "r"} {
			inside = true
			_, cmd := m.Update(keyPress(key))
			inside = false
			settle(t, m, cmd)
			seen[fmt.Sprintf("%T", m.front().screen)] = true
		}
		for _, p := range []string{
			"*gateview.Page", "*project.Page", "*ledgerview.Page", "*list.Page", "*dialog.Menu",
		} {
			if !seen[p] {
				t.Errorf("screen %s wasn't tested", p)
			}
		}
	})
}

func TestGateKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{gate: testGate()}
		m := gateModel(t, f, 120, 36)
		a, c := m.Actions.(*fakeActions), m.Changes.(*fakeChanges)
		a.run = &fakeRun{}
		if step, on := gateBar(m); step != 3 || on != nil {
			t.Fatalf("the bar starts on %d %+v", step, on)
		}
		press(t, m, "enter")
		if len(c.asks) != 1 || c.asks[0].Kind != ChangeEvidence || c.asks[0].Dir != teahouse || c.asks[0].Finding.Line != 268 || !shows[*dialog.Plan](m) {
			t.Fatalf("enter asked %+v", c.asks)
		}
		runs := len(f.gates)
		if press(t, m, "enter"); len(c.did) != 1 || len(f.gates) != runs+1 || !m.onGate() {
			t.Errorf("the plan: did %d, ran %v", len(c.did), f.gates)
		}
		ended := func() { settle(t, m, func() tea.Msg { return resumedMsg{} }) }
		if press(t, m, "e"); fmt.Sprint(a.edited) != "["+gateNotes+":268]" || len(f.gates) != runs+1 || !m.away {
			t.Errorf("e: edited %v, ran %v", a.edited, f.gates)
		}
		if ended(); len(f.gates) != runs+2 {
			t.Errorf("after the editor: ran %v", f.gates)
		}
		press(t, m, "j", "j")
		if _, f := gateBar(m); f == nil || f.Line != 301 || bindingOf(m, "enter").As != "open NOTES.md:301" {
			t.Fatalf("j j selects %+v", f)
		}
		if press(t, m, "enter"); len(a.edited) != 2 || a.edited[1] != gateNotes+":301" || len(c.asks) != 1 {
			t.Errorf("enter: edited %v, asked %+v", a.edited, c.asks)
		}
		ended()
		if press(t, m, "y"); len(a.quotes) != 1 || !strings.Contains(a.quotes[0].Text, "Rate limits are per calendar") || !strings.Contains(a.quotes[0].Text, "NOTES.md:301") {
			t.Errorf("copied %+v", a.quotes)
		}
		if press(t, m, "c"); m.status.text != "c handover: gate failed" || len(c.asks) != 1 {
			t.Errorf("c: message %q", m.status.text)
		}
		press(t, m, "z")
		if step, on := gateBar(m); step != 3 || on != nil || !strings.Contains(plain(t, m), "▸ 2 findings") {
			t.Errorf("z: the bar is on %d %+v:\n%s", step, on, plain(t, m))
		}
		if press(t, m, "enter"); strings.Contains(plain(t, m), "▸ 2 findings") {
			t.Error("enter does not open the step")
		}
		if press(t, m, "g", "enter"); m.status.text != "enter apply the fix: there is nothing to fix here" {
			t.Errorf("on a step without findings: %q", m.status.text)
		}
		press(t, m, "ctrl+r")
		if step, _ := gateBar(m); len(f.gates) != runs+4 || step != 1 {
			t.Errorf("ctrl+r: ran %v, the bar is on %d", f.gates, step)
		}
		if press(t, m, "2"); !shows[*dialog.Recover](m) || peek(m, "opts", "Dir").String() != teahouse {
			t.Error("2 doesn't open the recovery")
		}
		if press(t, m, "esc", "N"); !shows[*dialog.Menu](m) || peek(m, "Title").String() != "Note" {
			t.Errorf("N doesn't open the note menu: %q, panel %T", m.status.text, m.front().screen)
		}
		press(t, m, "esc", "tab")
		if m.onGate() || m.tab != sessionsTab {
			t.Errorf("tab shows tab %d", m.tab)
		}
	})
}

// TestGateHandoff: a failed gate refuses the handoff. A strict gate also refuses it if a check was impossible.
func TestGateHandoff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			change          func(*gate.Report)
			footer, message string
		}{
			"rejected":          {func(*gate.Report) {}, "c handover ", "c handover: gate failed"},
			"unsure":            {func(r *gate.Report) { r.Verdict = gate.Unsure }, "c handover ", "c handover: gate could not be checked"},
			"of its own":        {func(r *gate.Report) { r.Enforcement = ledger.Warn }, "c handover ", "c handover: gate failed"},
			"not strict":        {func(r *gate.Report) { r.Enforcement, r.Verdict = ledger.Warn, gate.Unsure }, "c handover (some steps were not checked)", ""},
			"with two warnings": {func(r *gate.Report) { r.Steps[0].Status, r.Verdict = gate.Warning, gate.Passed }, "c handover (2 warnings)", ""},
			"passed":            {func(r *gate.Report) { r.Verdict, r.Steps = gate.Passed, r.Steps[:2] }, "c handover ", ""},
		} {
			f := &fakeLedgers{gate: withGate(test.change)}
			m := gateModel(t, f, 120, 36)
			lines := strings.Split(plain(t, m), "\n")
			if keys := lines[35] + " "; !strings.Contains(keys, test.footer) || (test.message != "" || name == "passed") && strings.Contains(keys, "(") {
				t.Errorf("%s: %q", name, keys)
			}
			c := m.Changes.(*fakeChanges)
			c.fills = nil
			press(t, m, "c")
			switch {
			case test.message != "" && (m.status.text != test.message || len(c.asks) > 0):
				t.Errorf("%s: message %q, asked %+v", name, m.status.text, c.asks)
			case test.message == "" && (len(c.fills) != 1 || c.fills[0].Kind != ChangeHandover || c.fills[0].Dir != teahouse || c.fills[0].Gate == nil || !shows[*dialog.Handover](m)):
				t.Errorf("%s: message %q, filled %+v", name, m.status.text, c.fills)
			}
		}
		f := &fakeLedgers{ledger: testLedger(t), gate: withGate(func(r *gate.Report) { r.Mode, r.Steps = gate.Simplified, r.Steps[:3] })}
		m := ledgerModel(t, f, 120, 36, "c", "g")
		if !strings.Contains(plain(t, m), "c full gate") {
			t.Errorf("the simplified gate doesn't offer the full one:\n%s", plain(t, m))
		}
		f.gate = withGate(func(r *gate.Report) { r.Verdict, r.Mode, r.Steps = gate.Passed, gate.Simplified, r.Steps[:2] })
		if press(t, m, "ctrl+r"); !strings.Contains(plain(t, m), "c handover") {
			t.Errorf("the simplified gate that passed doesn't offer the handover:\n%s", plain(t, m))
		}
		f.gates, f.gate = f.gates[:1], withGate(func(r *gate.Report) { r.Mode, r.Steps = gate.Simplified, r.Steps[:3] })
		press(t, m, "ctrl+r")
		f.gates = f.gates[:1]
		if press(t, m, "c"); strings.Contains(plain(t, m), "c full gate") || fmt.Sprint(f.gates) != "[teahouse false teahouse true]" {
			t.Errorf("c ran %v", f.gates)
		}
	})
}

// TestGateStays: the bar stays on its finding. If this finding disappears, the bar stays on its step.
func TestGateStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{gate: testGate()}
		m := gateModel(t, f, 120, 36, "j", "j")
		f.gate = withGate(func(r *gate.Report) { r.Steps[2].Findings = r.Steps[2].Findings[1:] })
		press(t, m, "ctrl+r")
		if _, f := gateBar(m); f == nil || f.Line != 301 {
			t.Errorf("the bar is on %+v", f)
		}
		f.gate = withGate(func(r *gate.Report) {
			r.Steps[2].Findings, r.Steps[2].Status, r.Verdict = nil, gate.Pass, gate.Passed
		})
		press(t, m, "ctrl+r")
		if step, on := gateBar(m); step != 3 || on != nil {
			t.Errorf("the bar is on %d %+v", step, on)
		}
		f.gateErr = errors.New("the folder is gone")
		if press(t, m, "ctrl+r", "j", "enter", "e", "G", "pgup"); !strings.Contains(plain(t, m), "The folder is gone.") {
			t.Errorf("no error is shown:\n%s", plain(t, m))
		}
		f.gateErr = nil
		if press(t, m, "ctrl+r"); !strings.Contains(plain(t, m), "Passed.") {
			t.Errorf("after an error:\n%s", plain(t, m))
		}
	})
}

// TestGateEveryKey: no key panics, before and after the result.
func TestGateEveryKey(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		for name, to := range map[string][]string{"step": nil, "finding": {"j"}, "end": {"G"}, "folded": {"z"}} {
			for _, size := range [][2]int{{120, 36}, {60, 12}, {40, 10}, {1, 1}} {
				for _, f := range []*fakeLedgers{{gate: testGate()}, {}, {gateErr: errors.New("no answer")}} {
					m := gateModel(t, f, size[0], size[1], to...)
					for _, k := range keysOf(m) {
						pressOne(t, m, name+", key "+k, k)
						if !m.onGate() || t.Failed() {
							m = gateModel(t, f, size[0], size[1], to...)
						}
					}
				}
			}
		}
		m := gateModel(t, &fakeLedgers{gate: testGate()}, 120, 36, "j", "j")
		was := chosen(t, m)
		for _, size := range [][2]int{{80, 24}, {40, 10}, {99, 60}, {200, 60}, {120, 36}} {
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: size[0], Height: size[1]} })
			if _, f := gateBar(m); chosen(t, m) == "" || f.Line != 301 {
				t.Errorf("%v: the bar is on %+v:\n%s", size, f, plain(t, m))
			}
		}
		if got := chosen(t, m); got != was {
			t.Errorf("the bar went from %q to %q", was, got)
		}
	})
}
