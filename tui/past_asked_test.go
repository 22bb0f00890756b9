package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

// TestPastAskedAgain: every event that may have added an action causes a read of the undo list.
func TestPastAskedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		if why := bindingOf(m, "u").Off; why != "nothing to undo" {
			t.Fatalf("at first: %q", why)
		}
		for name, msg := range map[string]func() tea.Msg{
			"a client that has ended": func() tea.Msg { return resumedMsg{} },
			"an action":               func() tea.Msg { return tea.BatchMsg{askPast(m)} },
			"the terminal again":      func() tea.Msg { return tea.FocusMsg{} },
		} {
			c.past = nil
			settle(t, m, askPast(m))
			c.past = testPast()
			looks := c.looks
			if settle(t, m, msg); c.looks != looks+1 || bindingOf(m, "u").Off != "" {
				t.Errorf("%s: %d lookups, %q", name, c.looks-looks, bindingOf(m, "u").Off)
			}
		}
	})
}

// TestPastAskedOnce: a request during a lookup waits until the lookup has ended.
func TestPastAskedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		looks := c.looks
		_, first := m.Update(tea.FocusMsg{})
		var others []tea.Cmd
		for range 10 {
			_, cmd := m.Update(tea.FocusMsg{})
			others = append(others, cmd)
		}
		settle(t, m, tea.Batch(others...))
		if c.looks != looks {
			t.Errorf("%d lookups beside the first", c.looks-looks)
		}
		c.past = testPast()
		if settle(t, m, first); c.looks != looks+2 || len(past(m)) != len(testPast()) {
			t.Errorf("%d lookups, %d actions", c.looks-looks, len(past(m)))
		}
	})
}

// TestLeavesOnlyWhatWent: a discard fails, and another program deletes the backup later. It is shown as deleted.
func TestLeavesOnlyWhatWent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := triageRows()
		gone := func(m *model, path string) string {
			settle(t, m, func() tea.Msg {
				return changedMsg{batch: sessions.Batch{Gone: []string{path}}, from: closedChanges()}
			})
			return plain(t, m)
		}
		m, c := triageModel(t, 120, 36, nil)
		c.doErr = errors.New("disk is full")
		if press(t, m, "d", "enter", "esc"); peekIn(m.acts.change, "left").Len() != 0 {
			t.Errorf("left: %v", peekIn(m.acts.change, "left"))
		}
		if got := gone(m, rows[0].Path); strings.Count(got, "deleted") != 2 { // another row was deleted before
			t.Errorf("deleted after a failed discard:\n%s", got)
		}
		m, c = triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
		c.plan = Plan{Title: "Undo", Verb: "undo", Leaves: []string{rows[1].Path}}
		press(t, m, "u", "enter")
		if got := gone(m, rows[1].Path); strings.Contains(got, "Nov 20") || strings.Count(got, "deleted") != 1 || m.lists.Held(rows[1].Path) != nil {
			t.Errorf("a backup removed by an undo:\n%s", got)
		}
		m, c = triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
		session := testRows()[2]
		c.plan = Plan{Title: "Undo", Verb: "undo", Leaves: []string{session.Path}}
		press(t, m, "u", "enter")
		settle(t, m, func() tea.Msg { // the file exists again
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{session}}, from: closedChanges()}
		})
		if gone(m, session.Path); m.lists.Held(session.Path) == nil || !m.lists.Held(session.Path).Deleted {
			t.Error("a restored session isn't shown as deleted")
		}
	})
}
