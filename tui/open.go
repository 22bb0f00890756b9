package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/facts"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/screen"
)

func isFacts(s screen.Screen) bool {
	_, ok := s.(*facts.Page)
	return ok
}

func (m *model) showPage(p *project.Page) tea.Cmd {
	m.backTo = nil
	return tea.Batch(m.toBase(), m.push(p))
}

// leavePage closes the screens in front of the tab's screen. Esc in the next list returns to an open project page.
func (m *model) leavePage() tea.Cmd {
	m.backTo = m.projectPage()
	m.ledgerFor = m.pageOf()
	return m.toBase()
}

// isSession reports whether a row is a session or a backup of a session.
func isSession(row *sessions.Row) bool { return row != nil && row.Kind != sessions.KindDocument }

// openGate opens the gate of a project and runs it.
func (m *model) openGate(e screen.Gate) tea.Cmd {
	if m.Ledgers == nil || e.Dir == "" {
		return nil
	}
	var cmd tea.Cmd
	if m.onGate() {
		cmd = m.remove(m.top().id)
	}
	m.status = status{}
	return tea.Batch(cmd, m.push(m.makeGate(e.Dir, e.Mode, e.Of)))
}

// openFacts opens the facts of a row, or closes them if they are already on top.
func (m *model) openFacts(row sessions.Row) tea.Cmd {
	if top := m.top(); isFacts(top.screen) {
		return m.pop(top.id)
	}
	m.status = status{}
	return m.push(m.makeFacts(row))
}

// openDriven opens a session that continuo drives.
func (m *model) openDriven(e screen.Drive) tea.Cmd {
	m.status, m.drove = status{}, true
	return m.push(m.makeTalk(e))
}

// openSearch opens the search over all conversations, with a text to search for.
func (m *model) openSearch(text string) tea.Cmd {
	m.status = status{}
	return m.push(m.makeSearch(text))
}

func (m *model) openPage() tea.Cmd {
	dir := m.pageDir()
	if dir == "" || m.Projects == nil {
		return nil
	}
	var behind *sessions.Row
	if m.isReading() {
		if m.pageOf() == dir { // this page is already open
			return m.pop(m.top().id)
		}
		row := *m.subject()
		behind = &row
	}
	return m.showPage(m.makePage(dir, behind))
}

// alongRead replaces the reader of a document with a reader of the previous or next document in the chain.
func (m *model) alongRead(id int, along screen.Along) tea.Cmd {
	to, chained := m.lists.Beside(along.Row.Path, along.Step)
	if to == nil {
		m.status.say(list.NoneBeside(chained, along.Step))
		return nil
	}
	return tea.Batch(m.remove(id), m.push(m.makeReader(screen.Read{Row: *to}, m.spots[to.Path])))
}
