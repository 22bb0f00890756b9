package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// typed takes a key that is not bound, or what is pasted, into what is typed in front.
func (m *model) typed(msg tea.Msg) tea.Cmd {
	front := *m.front()
	if t, ok := front.screen.(screen.Typed); ok {
		return m.carry(front.id, t.Typed(msg))
	}
	return nil
}
