package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

func TestLedgerTab(t *testing.T) {
	bubble(t, func(t *testing.T) {
		open := func(f *fakeLedgers, o Options) *model {
			m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Ledgers: f, Projects: &fakeProjects{facts: fullProject()}}, o)
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
			settle(t, m, m.load())
			return m
		}
		has := func(m *model) bool { return strings.Contains(strings.Split(plain(t, m), "\n")[0], "Ledger") }

		f := &fakeLedgers{ledger: testLedger(t)}
		m := open(f, testOptions())
		if !has(m) || len(f.asked) > 0 {
			t.Errorf("tab %v, read %v", has(m), f.asked)
		}
		press(t, m, "shift+tab")
		if !m.onLedger() || peekIn(m.ledger, "facts").IsNil() || !slices.Equal(f.asked, []string{teahouse}) {
			t.Fatalf("shift+tab shows tab %d, read %v", m.tab, f.asked)
		}
		press(t, m, "tab")
		if m.tab != sessionsTab || m.top().screen != m.lists || !has(m) {
			t.Errorf("tab shows tab %d", m.tab)
		}

		f = &fakeLedgers{ledger: survey.Ledger{None: true, At: testNow()}}
		m = open(f, testOptions())
		if has(m) {
			t.Error("there is a tab without a ledger")
		}
		press(t, m, "shift+tab")
		if m.tab != backupsTab {
			t.Error("shift+tab shows a ledger that doesn't exist")
		}
		f.ledger = testLedger(t)
		press(t, m, "ctrl+r")
		if !has(m) {
			t.Error("ctrl+r doesn't find the new ledger")
		}

		f = &fakeLedgers{ledger: testLedger(t)}
		for _, o := range []Options{testOptions(), {Project: "/home/ada/code/new", Now: testNow}} { // no sessions at all; no sessions in the project
			m = newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: &fakeSource{batches: []sessions.Batch{{Done: true}}}, Ledgers: f}, o)
			if o.Project != teahouse {
				m = newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Ledgers: f}, o)
			}
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
			settle(t, m, m.load())
			if s := plain(t, m); !has(m) || !strings.Contains(s, "No sessions") || !strings.Contains(s, "Ledger tab") {
				t.Errorf("%s without a session:\n%s", o.Project, s)
			}
			press(t, m, "shift+tab")
			if !m.onLedger() || peekIn(m.ledger, "facts").IsNil() || m.ledgerDir() != o.Project || m.top().screen.Subject().Dir != o.Project {
				t.Errorf("%s without a session: tab %d of %q", o.Project, m.tab, m.ledgerDir())
			}
		}

		f = &fakeLedgers{ledger: testLedger(t)}
		wide := testOptions()
		wide.Project = ""
		m = open(f, wide)
		if !has(m) || len(f.asked) > 0 {
			t.Errorf("of all projects: tab %v, read %v", has(m), f.asked)
		}
		for m.lists.Subject().Row.Project == teahouse {
			press(t, m, "j")
		}
		press(t, m, "shift+tab")
		if !slices.Equal(f.asked, []string{"/home/ada/code/pantry"}) {
			t.Errorf("read %v", f.asked)
		}

		m = newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource()}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		if has(m) {
			t.Error("without Ledgers there is a tab")
		}
	})
}

func TestLedgerOfPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t)}
		m := ledgerModel(t, f, 120, 36)
		press(t, m, "tab", "a")
		for m.lists.Subject().Row.Project == teahouse {
			press(t, m, "j")
		}
		press(t, m, "P", "shift+tab")
		if !m.onLedger() || m.ledger.Subject().Dir != "/home/ada/code/pantry" {
			t.Fatalf("tab %d, of %+v", m.tab, m.ledger)
		}
		press(t, m, "P")
		if !m.onPage() || m.pageOf() != "/home/ada/code/pantry" {
			t.Error("P does not open the page of the project")
		}
		press(t, m, "esc")
		if !m.onLedger() {
			t.Error("esc doesn't return to the ledger")
		}
	})
}

// TestLedgerLooks: the ledger stays visible if the next read fails.
func TestLedgerLooks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t)}
		m := ledgerModel(t, f, 120, 36)
		asked := len(f.asked)
		f.err = errors.New("the disk does not respond")
		press(t, m, "ctrl+r")
		if len(f.asked) != asked+1 || peekIn(m.ledger, "facts").IsNil() || !strings.Contains(plain(t, m), "The disk does not respond.") {
			t.Errorf("%d reads:\n%s", len(f.asked), plain(t, m))
		}
		f.err = nil
		_, late := m.Update(keyPress("ctrl+r"))
		settle(t, m, m.toTab(sessionsTab))
		m.ledgerFor = "/home/ada/code/pantry"
		look := m.toTab(ledgerTab)
		if settle(t, m, late); !peekIn(m.ledger, "facts").IsNil() {
			t.Error("the answer of another project is shown")
		}
		settle(t, m, look)
		second := func() {
			_, cmd := m.Update(answerMsg{ledgerScreen, screen.Second{Now: testNow().Add(6 * time.Second)}})
			settle(t, m, cmd)
		}
		for range 12 { // one per second
			asked = len(f.asked)
			second()
		}
		if len(f.asked) != asked+1 {
			t.Errorf("a stale ledger isn't read again: %d, %d", asked, len(f.asked))
		}
		settle(t, m, m.toTab(sessionsTab))
		asked = len(f.asked)
		if second(); len(f.asked) != asked {
			t.Error("the clock still ticks in another tab")
		}
	})
}

func TestLedgerNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, f := range map[string]*fakeLedgers{
			"none":   {ledger: survey.Ledger{None: true, At: testNow()}},
			"failed": {err: errors.New("no")},
		} {
			m := ledgerModel(t, f, 120, 36)
			for _, k := range keysOf(m) {
				if !m.onLedger() || m.hasDialog() {
					m = ledgerModel(t, f, 120, 36)
				}
				pressOne(t, m, name+", key "+k, k)
			}
		}
	})
}

func TestLedgerKeys(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t)}
		for name, to := range map[string][]string{
			"outline": nil, "inside": {"enter"}, "text": {"g", "enter"}, "filter": {"/", "a"}, "entries": {"enter", "/", "a"},
			"no match": {"/", "q", "q", "q", "enter"}, "no entry": {"enter", "/", "q", "q", "q", "enter"}, "beads": {"G", "enter"}, "alone": {"p"},
		} {
			for _, size := range [][2]int{{120, 36}, {60, 12}, {1, 1}} {
				m := ledgerModel(t, f, size[0], size[1], to...)
				was := where(m)
				for _, k := range keysOf(m) {
					pressOne(t, m, name+", key "+k, k)
					if where(m) != was || t.Failed() {
						m = ledgerModel(t, f, size[0], size[1], to...)
					}
				}
			}
		}
		m := ledgerModel(t, f, 120, 36, "enter", "j", "j", "j")
		was := chosen(t, m)
		for _, size := range [][2]int{{80, 24}, {40, 10}, {99, 60}, {200, 60}, {120, 36}} {
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: size[0], Height: size[1]} })
			if got := chosen(t, m); !strings.HasPrefix(strings.Join(strings.Fields(got), " "), strings.Join(strings.Fields(was)[:5], " ")) {
				t.Errorf("%v: the bar went from %q to %q:\n%s", size, was, got, plain(t, m))
			}
		}
	})
}

// TestLedgerTruth: disagreements of two sources, such as NOTES.md and beads, are listed.
func TestLedgerTruth(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t)}
		m := ledgerModel(t, f, 120, 36, "G")
		if s := plain(t, m); strings.Contains(s, "disagreements") || strings.Contains(s, "Other") {
			t.Errorf("without disagreements:\n%s", s)
		}
		f.ledger.Truth = truth.Report{List: []truth.Disagreement{{
			About: "bead tea-41\x1b[31m", Do: "Close it.",
			Says: []truth.Saying{{Source: truth.Beads, Text: "it is closed"}, {Source: truth.Notes, Text: "it is in progress", Line: 5}},
		}}}
		press(t, m, "ctrl+r", "G")
		for _, want := range []string{"disagreements", "△ bead tea-41", "it is closed (this wins)", "NOTES.md:5", "Close it."} {
			if s := plain(t, m); !strings.Contains(s, want) {
				t.Errorf("no %q in\n%s", want, s)
			}
		}
		a := m.Actions.(*fakeActions)
		if press(t, m, "y"); len(a.quotes) != 1 || a.quotes[0].Text != "bead tea-41\n  beads: it is closed\n  NOTES.md: it is in progress\n  Close it." {
			t.Errorf("copied %+v", a.quotes)
		}
	})
}

// TestLedgerTabStays: the tab appears with the first ledger, and stays without any ledger.
func TestLedgerTabStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		none := testLedger(t)
		none.None = true
		f := &fakeLedgers{ledger: none}
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Ledgers: f}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		if press(t, m, "a"); m.hasTab(ledgerTab) || strings.Contains(plain(t, m), "Ledger") {
			t.Errorf("a tab although no project has a ledger:\n%s", plain(t, m))
		}
		f.ledger.None = false
		m.recheckLedgers(true)
		if press(t, m, "j"); !strings.Contains(plain(t, m), "Ledger") {
			t.Errorf("no tab:\n%s", plain(t, m))
		}
		f.ledger.None = true
		m.recheckLedgers(true)
		if press(t, m, "k", "a"); !strings.Contains(plain(t, m), "Ledger") {
			t.Errorf("the tab has gone:\n%s", plain(t, m))
		}
	})
}

func TestLedgerFromNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := testOptions()
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: &fakeSource{}, Ledgers: &fakeLedgers{ledger: testLedger(t)}}, o)
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		m.lists.To(screen.Show{Kind: sessions.KindSession, Dir: teahouse})
		m.ledgers.has[teahouse] = true
		m.arrange()
		if s := plain(t, m); !strings.Contains(s, "shift+tab  ") {
			t.Errorf("no key leads to the ledger:\n%s", s)
		}
		if press(t, m, "shift+tab"); !m.onLedger() {
			t.Errorf("shift+tab leads to tab %d", m.tab)
		}
	})
}

// TestOutlineHit: the outline leaves out old decisions, but not a decision that matches the filter.
func TestOutlineHit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, 120, 24)
		decisions := testLedger(t).Notes.Decisions()
		last := &decisions[len(decisions)-1]
		if strings.Contains(plain(t, m), last.Title[:20]) {
			t.Fatalf("all decisions are listed:\n%s", plain(t, m))
		}
		press(t, m, "/")
		for _, r := range last.Title {
			press(t, m, string(r))
		}
		row := ""
		for line := range strings.Lines(plain(t, m)) {
			if strings.Contains(line, last.Title[:20]) && !strings.Contains(line, "/ ") {
				row = line
			}
		}
		if !strings.Contains(row, "││") {
			t.Errorf("the match isn't visible or not marked: %q\n%s", row, plain(t, m))
		}
		if press(t, m, "enter", "enter"); peekIn(m.ledger, "content", "sel", "name").String() != last.Title {
			t.Errorf("the bar is on %s", peekIn(m.ledger, "content", "sel", "name"))
		}
		if press(t, m, "esc", "esc"); peekIn(m.ledger, "content", "hit", "kind").Uint() != 0 {
			t.Error("the match is still marked")
		}
	})
}

// TestLedgerMissing: the tab names the missing parts of the ledger. A key plans to restore them.
func TestLedgerMissing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := testLedger(t)
		m := ledgerModel(t, &fakeLedgers{ledger: l}, 120, 36)
		if press(t, m, "H"); m.status.text != "H heal: nothing is missing" {
			t.Errorf("a complete ledger: %q", m.status.text)
		}
		l.Missing = []string{".beads is missing: NOTES.md names tea-41.", "trajectory is missing: NOTES.md names it."}
		m = ledgerModel(t, &fakeLedgers{ledger: l}, 120, 36)
		if s := plain(t, m); !strings.Contains(s, "H heal") {
			t.Errorf("the footer doesn't offer it:\n%s", s)
		}
		press(t, m, "/", "m", "i", "s", "s", "i", "n", "g", "enter")
		if s := plain(t, m); !strings.Contains(s, "missing") || !strings.Contains(s, "2✗") || !strings.Contains(s, "✗ .beads is missing: NOTES.md names tea-41.") ||
			!strings.Contains(s, "H shows a plan to restore the missing parts.") {
			t.Errorf("the parts:\n%s", s)
		}
		changes := m.Changes.(*fakeChanges)
		if press(t, m, "H"); len(changes.asks) != 1 || changes.asks[0].Kind != ChangeHeal || changes.asks[0].Dir != teahouse || !m.hasDialog() {
			t.Errorf("asked %+v:\n%s", changes.asks, plain(t, m))
		}
		none := &fakeLedgers{ledger: survey.Ledger{Dir: teahouse, None: true, Missing: []string{"NOTES.md is missing: git has it in HEAD."}}}
		m = ledgerModel(t, none, 120, 36)
		if s := plain(t, m); !strings.Contains(s, "There is no NOTES.md in ") || !strings.Contains(s, "NOTES.md is missing: git has it in HEAD.") || !strings.Contains(s, "H shows a plan to restore") {
			t.Errorf("without a ledger:\n%s", s)
		}
	})
}

// TestLedgerCommands: the palette has the ledger commands on every screen of a project.
func TestLedgerCommands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for command, want := range map[string]Change{
			"delta": {Kind: ChangeDelta, Dir: teahouse}, "fork-check": {Kind: ChangeForks, Dir: teahouse}, "heal": {Kind: ChangeHeal, Dir: teahouse},
			"lint": {Kind: ChangeLint, Dir: teahouse}, "save": {Kind: ChangeSave},
		} {
			for name, to := range map[string][]string{"ledger": nil, "list": {"tab"}, "reader": {"tab", "enter"}} {
				m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, 120, 36, to...)
				row := m.subject()
				press(t, m, append([]string{":"}, strings.Split(command, "")...)...)
				press(t, m, "enter")
				asks := m.Changes.(*fakeChanges).asks
				if len(asks) != 1 || asks[0].Kind != want.Kind || asks[0].Dir != want.Dir || !m.hasDialog() {
					t.Errorf("%s on the %s: %+v\n%s", command, name, asks, plain(t, m))
					continue
				}
				if has := len(asks[0].Rows) == 1; has != (name != "ledger" || command == "save") || has && asks[0].Rows[0].ID != row.ID {
					t.Errorf("%s on the %s: of %d sessions", command, name, len(asks[0].Rows))
				}
			}
		}
		m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, 120, 36, "tab")
		m.ledgers.has[teahouse] = false
		if press(t, m, ":", "l", "i", "n", "t", "enter"); m.status.text != "Lint NOTES.md: no ledger in this project" {
			t.Errorf("without a ledger: %q", m.status.text)
		}
		m.Changes = nil
		if press(t, m, ":", "h", "e", "a", "l"); strings.Contains(plain(t, m), "Heal the ledger") {
			t.Errorf("a program that changes nothing:\n%s", plain(t, m))
		}
	})
}
