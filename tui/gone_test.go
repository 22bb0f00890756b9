package tui

import (
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestGoneAreNotCounted: a file that another program deleted keeps its row, but isn't counted.
func TestGoneAreNotCounted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "shift+tab") // sessions
		tally := m.lists.Tally(sessions.KindSession)
		was := tally.Shown
		if m.tab != sessionsTab || was < 3 {
			t.Fatalf("%d sessions, on %s", was, m.lists.Subject().Row.Kind)
		}
		paths := []string{testRows()[0].Path, testRows()[1].Path}
		m.rowsChanged(changedMsg{batch: sessions.Batch{Gone: paths[:1]}})
		if m.lists.Held(paths[0]) == nil || tally.Shown != was || tally.Gone != 1 || tally.GoneHere != 1 {
			t.Errorf("%+v", tally)
		}
		m.actionRequest(screen.CarryOut{Plan: Plan{Change: Change{Kind: ChangeUndo}, Leaves: paths[1:]}})
		m.rowsChanged(changedMsg{batch: sessions.Batch{Gone: paths[1:]}})
		if m.lists.Held(paths[1]) != nil || tally.Shown != was-1 {
			t.Errorf("its row is still there: %+v", tally)
		}
		screen := strings.Split(plain(t, m), "\n")
		for i, want := range map[int]string{0: "Sessions " + strconv.Itoa(was-2) + " ", 2: " " + strconv.Itoa(was-2) + " sessions"} {
			if !strings.Contains(screen[i]+" ", want) {
				t.Errorf("no %q in %q", want, screen[i])
			}
		}
	})
}

// TestRestoredIsShown: the message about a restored backup appears after the started program has ended.
func TestRestoredIsShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const message = "Restored as 7c41e9d2; u undoes that."
		m, _ := triageModel(t, 120, 36, nil)
		m.Actions.(*fakeActions).before = message
		_, late := m.Update(keyPress("r"))
		press(t, m, "down", "up")
		settle(t, m, late)
		if m.status.text != "" || m.away {
			t.Errorf("a late answer says %q", m.status.text)
		}
		press(t, m, "r")
		if m.status.text != "" || !m.away {
			t.Errorf("before: %q", m.status.text)
		}
		settle(t, m, func() tea.Msg { return resumedMsg{text: message} })
		if m.status.text != message || m.status.bad || m.away {
			t.Errorf("%+v", m.status)
		}
	})
}

// TestBehindAnother: each pending backup has the hint about /resume-latest, not only the newest one.
func TestBehindAnother(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		var newest *sessions.Row
		for r := range m.lists.Rows(sessions.KindBackup) {
			if r.Pending && (newest == nil || r.Compare(newest) < 0) {
				newest = r
			}
		}
		older := *newest
		older.Path, older.ID, older.Created = older.Path+"x", "20261101_000000Z_exit", older.Created.AddDate(0, 0, -20)
		older.Of, older.Relation = "7c41e9d2-71c4-4e0d-9c0a-41d2b6e87f35", sessions.RelationGone
		m.rowsChanged(changedMsg{batch: sessions.Batch{Rows: []sessions.Row{older}}})
		for _, row := range []*sessions.Row{newest, &older} {
			const want = "r runs `claude \"/resume-latest\"` in "
			if got := strings.Join(m.lists.Does(row), "\n"); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", row.ID, want, got)
			}
		}
	})
}
