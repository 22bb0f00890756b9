package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
)

// TestGateFooter: the footer has the handoff if it can be written. Esc comes before the other keys.
func TestGateFooter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		footer := func(f *fakeLedgers) string {
			lines := strings.Split(plain(t, gateModel(t, f, 80, 24)), "\n")
			return strings.TrimRight(lines[23], " ")
		}
		warns := withGate(func(r *gate.Report) {
			r.Enforcement, r.Verdict, r.Steps[2].Status = ledger.Warn, gate.Passed, gate.Warning
		})
		if got := footer(&fakeLedgers{gate: warns}); !strings.HasPrefix(got, " enter apply the fix   c handover   esc back   e edit   ") {
			t.Errorf("warns: %q", got)
		}
		if got := footer(&fakeLedgers{gate: testGate()}); !strings.HasPrefix(got, " enter apply the fix   e edit   ctrl+r run again   esc back") {
			t.Errorf("rejected: %q", got)
		}
		if got := footer(&fakeLedgers{gateErr: errors.New("there is no folder")}); !strings.HasPrefix(got, " ctrl+r run again   esc back   ") || strings.Contains(got, "has not run") {
			t.Errorf("failed: %q", got)
		}
	})
}

// TestSessionsFooter: a wide footer begins with the keys of a narrow one.
func TestSessionsFooter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "shift+tab")
		for width, want := range map[int]string{
			80:  " enter read   / search   r resume   f fork   c handover   p preview   ",
			120: " enter read   / search   r resume   f fork   c handover   m * t name, star, tag   a ",
			200: "   y copy   space mark   d delete   N note   T family   w resume elsewhere   ",
		} {
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: width, Height: 36} })
			if got := strings.Split(plain(t, m), "\n")[35]; !strings.Contains(got, want) || width < 200 && strings.Contains(got, "space mark") {
				t.Errorf("in %d cells: %q, want %q", width, got, want)
			}
		}
	})
}

// TestStepBackFooter: only an undo can be undone, so the footer shows U instead of u.
func TestStepBackFooter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		past := []PastAction{{ID: "b", What: "Undid", Step: true, Can: "yes"}, {ID: "a", What: "Discarded 1", Back: true, Can: "undone"}}
		m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = past })
		footer := func() string {
			lines := strings.Split(plain(t, m), "\n")
			return strings.TrimRight(lines[35], " ")
		}
		if got := footer(); !strings.Contains(got, "   U undo list   ") || strings.Contains(got, "step back") || strings.Contains(got, "u undo") || strings.Count(got, "undo") != 1 {
			t.Errorf("on Backups: %q", got)
		}
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 200, Height: 36} })
		press(t, m, "shift+tab")
		if got := footer(); m.tab != sessionsTab || !strings.Contains(got, "   U undo list   ") || strings.Contains(got, "u U") {
			t.Errorf("on tab %d: %q", m.tab, got)
		}
	})
}
