package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

func TestResumeFromReader(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter")
		s.doc.mu.Lock()
		s.doc.msgs, s.doc.shown = append(s.doc.msgs[:11:11], prompt("One more thing.")), 11
		s.doc.of, s.doc.threads = nil, nil
		s.doc.mu.Unlock()
		press(t, m, "q", "enter")
		s.doc.followed = 0
		settle(t, m, func() tea.Msg { return resumedMsg{} })
		if got := plain(t, m); !m.isReading() || s.doc.followed != 1 || !strings.Contains(got, "One more thing.") {
			t.Errorf("followed %d times:\n%s", s.doc.followed, got)
		}
	})
}

func TestBackClearsTheFilter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "tab", "/", "s", "k", "e", "enter")
		leave := func() tea.Cmd { return m.performOn(*m.top(), screen.Intent{Name: screen.Leave}) }
		if cmd := leave(); cmd != nil || pattern(m) != "" {
			t.Errorf("q quits with the filter %q", pattern(m))
		}
		if leave() == nil {
			t.Error("q at the top does not quit")
		}
	})
}

// TestFilterByID: the date in its ID finds a backup. The bar moves to the best match.
func TestFilterByID(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 80, 24, nil)
		want := *m.lists.Held(triageRows()[3].Path)
		press(t, m, "j", "/")
		for _, c := range want.ID {
			press(t, m, string(c))
		}
		if got := m.lists.Subject().Row; got == nil || got.ID != want.ID {
			t.Errorf("%q found %+v", want.ID, got)
		}
	})
}
