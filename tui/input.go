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

// typedRest is for what is no screen of its own.
func (m *model) typedRest(msg tea.Msg) tea.Cmd {
	if m.place() == whileFiltering && m.list.field.Type(msg) {
		return m.patternChanged()
	}
	return nil
}
