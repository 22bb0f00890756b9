package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render/talk"
)

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

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
			return m.wheel(at.X, at.Y, -wheelRows)
		}
		if at.Button == tea.MouseWheelDown {
			return m.wheel(at.X, at.Y, wheelRows)
		}
	}
	return nil
}

// wheel scrolls the pane under the pointer; the focus stays where it is.
func (m *model) wheel(x, y, delta int) tea.Cmd {
	switch {
	case m.panel.kind == palettePanel:
		return inPanel(delta / wheelRows)(m)
	case m.panel.kind == menuPanel:
		return scrollMenu(delta)(m)
	case m.panel.kind == planPanel:
		return scrollPlan(delta)(m)
	case m.panel.kind == pastPanel:
		return inPastBy(delta / wheelRows)(m)
	case m.panel.kind == recoverPanel:
		return scrollRecovered(delta)(m)
	case m.panel.kind != noPanel:
	default:
		return m.carry(m.top().id, m.top().screen.Wheel(x, y, delta))
	}
	return nil
}

// wheelRest is for what is no screen of its own.
func (m *model) wheelRest(x, y, delta int) tea.Cmd {
	l := m.layout
	switch {
	case m.reader != nil:
		m.reader.ahead = max(m.reader.ahead, 1)
		m.reader.scroll(delta, l.Body.H)
	case m.onLedger():
		return m.scrollLedger(delta, l.Preview.H > 0 && l.Preview.Has(x, y))
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		m.scrollPreview(delta)
	default:
		m.list.scroll(delta, l.Body.H)
	}
	return nil
}

func (m *model) click(x, y int) tea.Cmd {
	switch {
	case m.panel.kind != noPanel:
		return m.clickPanel(x, y)
	case !m.isRest() && m.layout.Title.Has(x, y):
		for _, s := range m.tabStrip() {
			if x >= s.x && x < s.x+s.w {
				return m.leaveForTab(s.tab)
			}
		}
		return nil
	}
	return m.carry(m.top().id, m.top().screen.Click(x, y))
}

// clickRest is for what is no screen of its own.
func (m *model) clickRest(x, y int) tea.Cmd {
	l := m.layout
	switch {
	case m.reader != nil:
		return m.clickReader(x, y)
	case m.onLedger() && !l.Title.Has(x, y):
		return m.clickLedger(x, y)
	case l.Context.Has(x, y) && m.canHead():
		return m.openPage()
	case l.Title.Has(x, y):
		return m.clickTab(x)
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

// clickPanel is for the panel; one that has nothing to click closes.
func (m *model) clickPanel(x, y int) tea.Cmd {
	switch m.panel.kind {
	case menuPanel:
		return m.clickMenu(x, y)
	case planPanel:
		return m.clickPlan(x, y)
	case pastPanel:
		return m.clickPast(x, y)
	case recoverPanel:
		return m.clickRecover(x, y)
	case notePanel:
		return m.clickNote(x, y)
	case noPanel, helpPanel, palettePanel, folderPanel:
	}
	return m.closePanel()
}

// clickReader puts the bar where it is clicked, opens what can be opened, and jumps by the scrollbar.
func (m *model) clickReader(x, y int) tea.Cmd {
	r, body := m.reader, m.layout.Body
	if !body.Has(x, y) || len(r.refs) == 0 {
		return nil
	}
	row := y - body.Y
	if x >= m.width-3 && body.H > 0 {
		r.toMessage(row*len(r.refs)/body.H, body.H)
		return nil
	}
	r.barTo(row, body.H)
	r.win.Pin = 0
	if from, _ := r.barRows(); from == row && r.part(r.bar).Fold != talk.Fixed {
		return m.foldOne()
	}
	return nil
}
