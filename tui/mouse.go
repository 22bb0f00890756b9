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
		m.dragging = false
	case tea.MouseMotionMsg:
		if m.dragging {
			m.split = min(max(at.X, dividerLeast), m.width-dividerLeast-1)
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

// wheelRest is for what is no screen of its own.
func (m *model) wheelRest(x, y, delta int) tea.Cmd {
	l := m.layout
	switch {
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		m.scrollPreview(delta)
	default:
		m.list.scroll(delta, l.Body.H)
	}
	return nil
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

// clickRest is for what is no screen of its own.
func (m *model) clickRest(x, y int) tea.Cmd {
	l := m.layout
	switch {
	case l.Context.Has(x, y) && m.canHead():
		return m.openPage()
	case l.Divider > 0 && x == l.Divider && y >= l.Preview.Y:
		m.dragging = true
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		m.focus = onPreview
	case l.Body.Has(x, y):
		m.focus = onList
		i, before := m.list.itemAt(y-l.Body.Y, l.Body.H), m.list.sel
		if !m.list.choose(i) || before != m.list.sel {
			return nil
		}
		if m.whyNotRead() == "" { // a second click opens
			return m.readSelected()
		}
	}
	return nil
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
