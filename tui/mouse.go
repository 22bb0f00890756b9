package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// mouse turns a click, a notch of the wheel or a drag into what the keys do.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.goneOn()
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
			return m.wheel(at.X, at.Y, -screen.Notch)
		}
		if at.Button == tea.MouseWheelDown {
			return m.wheel(at.X, at.Y, screen.Notch)
		}
	}
	return nil
}

// wheel scrolls the pane under the pointer; the focus stays where it is.
func (m *model) wheel(x, y, delta int) tea.Cmd {
	return m.carry(m.front().id, m.front().screen.Wheel(x, y, delta))
}

func (m *model) click(x, y int) tea.Cmd {
	if title := !m.hasDialog() && m.layout.Title.Has(x, y); title && m.onBase() {
		return m.clickTab(x)
	} else if title && m.top().screen.View().Title == "" {
		for _, s := range m.tabStrip() {
			if x >= s.x && x < s.x+s.w {
				return m.leaveForTab(s.tab)
			}
		}
		return nil
	}
	return m.carry(m.front().id, m.front().screen.Click(x, y))
}

// clickTab shows the tab at a column.
func (m *model) clickTab(x int) tea.Cmd {
	for _, s := range m.tabStrip() {
		if x >= s.x && x < s.x+s.w && s.tab != m.tab {
			return m.toTab(s.tab)
		}
	}
	return nil
}
