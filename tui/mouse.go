package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// mouse handles clicks, drags, and the wheel.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.afterInput()
			return m.click(at.X, at.Y)
		}
	case tea.MouseReleaseMsg:
		if d, ok := m.top().screen.(screen.Dragged); ok {
			d.Dropped()
		}
	case tea.MouseMotionMsg:
		if d, ok := m.top().screen.(screen.Dragged); ok {
			d.Drag(at.X, at.Y)
			m.arrange()
		}
	case tea.MouseWheelMsg:
		if at.Button == tea.MouseWheelUp {
			return m.carry(m.front().id, m.front().screen.Wheel(at.X, at.Y, -screen.Notch))
		}
		if at.Button == tea.MouseWheelDown {
			return m.carry(m.front().id, m.front().screen.Wheel(at.X, at.Y, screen.Notch))
		}
	}
	return nil
}

// click handles a click on a tab or on the front screen.
func (m *model) click(x, y int) tea.Cmd {
	if m.hasDialog() || !m.layout.Title.Has(x, y) || m.top().screen.View().Title != "" {
		return m.carry(m.front().id, m.front().screen.Click(x, y))
	}
	switch tab := m.tabBar().at(x); {
	case tab < 0, tab == m.tab && m.onBase():
		return nil
	case m.onBase():
		return m.toTab(tab)
	default:
		return m.leaveForTab(tab)
	}
}
