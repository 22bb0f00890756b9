package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// stale is the age at which a page reads its project again.
const stale = 5 * time.Second

func ticked(t *testing.T, m *model, at time.Time) {
	t.Helper()
	_, cmd := m.Update(answerMsg{m.top().id, screen.Second{Now: at}})
	settle(t, m, cmd)
}

// TestProjectPageFails: after a failed read, the page waits until it is stale. ctrl+r or a change reads at once.
func TestProjectPageFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		now := testNow()
		o := testOptions()
		o.Now = func() time.Time { return now }
		p := &fakeProjects{facts: fullProject()}
		open := func() *model {
			p.asked, p.err = nil, nil
			m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Actions: &fakeActions{run: &fakeRun{}}, Projects: p}, o)
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
			settle(t, m, m.load())
			return m
		}
		m := open()
		press(t, m, "P")
		p.err = errors.New("git: signal: killed")
		for range 100 {
			now = now.Add(time.Second)
			ticked(t, m, now)
		}
		if n, want := len(p.asked)-1, int(100*time.Second/stale); n != want {
			t.Errorf("%d reads in 100 s, want %d", n, want)
		}
		tries := map[string]func(*model){
			"ctrl+r": func(m *model) { press(t, m, "ctrl+r") },
			"a change": func(m *model) {
				settle(t, m, func() tea.Msg {
					return changedMsg{batch: sessions.Batch{Rows: testRows()[:1]}, from: closedChanges()}
				})
			},
			"the clock": func(m *model) {
				now = now.Add(stale)
				ticked(t, m, now)
			},
		}
		for name, try := range tries {
			m := open()
			p.err = errors.New("git: signal: killed")
			press(t, m, "P")
			if !strings.Contains(plain(t, m), "Git: signal: killed.") {
				t.Fatalf("the first read doesn't fail:\n%s", plain(t, m))
			}
			p.err = nil
			if try(m); len(p.asked) != 2 || !strings.Contains(plain(t, m), "checked") || strings.Contains(plain(t, m), "killed") {
				t.Errorf("%s: %d reads:\n%s", name, len(p.asked), plain(t, m))
			}
		}
	})
}

// TestProjectPageDiscard: an open page is updated when a backup is moved to the trash.
func TestProjectPageDiscard(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		m := newModel(t.Context(), World{
			Searcher: fakeSearcher{},
			Source:   triageSource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: &fakeChanges{}, Projects: p,
		}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		press(t, m, "tab", "d", "enter", "P")
		asked, gone := len(p.asked), triageRows()[0]
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Gone: []string{gone.Path}}, from: closedChanges()}
		})
		if m.lists.Held(gone.Path) != nil || len(p.asked) != asked+1 {
			t.Errorf("the project was read %d times", len(p.asked)-asked)
		}
	})
}
