package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
)

func TestGateMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{gate: testGate()}
		m := gateModel(t, f, 120, 36)
		click := func(x, y int) {
			settle(t, m, func() tea.Msg { return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft} })
		}
		row := func(text string) int {
			for i, line := range strings.Split(plain(t, m), "\n") {
				if strings.Contains(line, text) {
					return i
				}
			}
			t.Fatalf("%q is not on the screen:\n%s", text, plain(t, m))
			return 0
		}
		click(20, row("src/limit/bucket.go"))
		if _, f := gateBar(m); f == nil || f.Line != 301 {
			t.Errorf("a click selects %+v", f)
		}
		click(20, row("The other 12"))
		if _, f := gateBar(m); f == nil || f.Line != 301 {
			t.Errorf("a click outside the findings selects %+v", f)
		}
		if click(20, row("src/limit/bucket.go")); len(m.Actions.(*fakeActions).edited) != 1 {
			t.Error("a second click doesn't open the file")
		}
		settle(t, m, func() tea.Msg { return resumedMsg{} })
		click(60, 33) // the verdict
		if click(14, 0); m.onGate() || m.tab != sessionsTab {
			t.Errorf("a click on a tab shows tab %d", m.tab)
		}
		m = gateModel(t, f, 80, 24)
		was := plain(t, m)
		settle(t, m, func() tea.Msg { return tea.MouseWheelMsg{X: 20, Y: 10, Button: tea.MouseWheelDown} })
		if plain(t, m) == was {
			t.Error("the wheel does not scroll")
		}
		if chosen(t, m) == "" {
			t.Error("the bar isn't visible")
		}
		m = ledgerModel(t, f, 120, 36, "tab", "enter", "c", "G")
		if click(14, 0); m.isReading() || m.onGate() || m.top().screen != m.lists {
			t.Error("a click on a tab doesn't leave the reader")
		}
	})
}

func TestGateThemes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 36}} {
			m := gateModel(t, &fakeLedgers{gate: withGate(func(r *gate.Report) { r.Steps[5].Figure = "41 kB" })}, size[0], size[1])
			want := plain(t, m)
			for _, o := range []Options{{Theme: "light"}, {NoColor: true}, {Theme: "dark"}} {
				m.opts.Theme, m.opts.NoColor = o.Theme, o.NoColor
				m.restyle(m.dark, m.profile)
				m.arrange()
				if got := plain(t, m); got != want {
					t.Errorf("different characters with %+v:\n%s", o, diff(want, got))
				}
				if strings.Contains(strings.Join(m.screen(), ""), "38;2") == o.NoColor {
					t.Errorf("%v has the wrong colours", o)
				}
			}
			m.opts.ASCII = true
			for _, c := range ansi.Strip(m.View().Content) {
				if c > 0x7e {
					t.Errorf("%q is drawn", c)
					break
				}
			}
		}
	})
}

// slowGate returns the report after some time. dropped counts the cancelled calls.
func slowGate(after time.Duration, dropped *int) func(context.Context, bool) bool {
	return func(ctx context.Context, _ bool) bool {
		select {
		case <-time.After(after):
			return true
		case <-ctx.Done():
			*dropped++
			return false
		}
	}
}

// TestGateOfRow: the gate runs for the project of the selected row, not for the listed project.
func TestGateOfRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeLedgers{ledger: testLedger(t), gate: testGate()}
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Changes: &fakeChanges{}, Ledgers: f}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		press(t, m, "a")
		for row := m.lists.Subject().Row; row.Project == teahouse && row.Kind == sessions.KindSession; row = m.lists.Subject().Row {
			press(t, m, "j")
		}
		if press(t, m, "c", "G"); fmt.Sprint(f.gates) != "[pantry true]" {
			t.Errorf("ran %v", f.gates)
		}
	})
}
