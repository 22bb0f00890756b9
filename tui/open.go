package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/screen"
)

// openGate shows the gate of a project in front of what is there, and runs it. of is the session that a handoff would be of,
// none: the newest of the project.
func (m *model) openGate(dir string, mode gate.Mode, of []sessions.Row) tea.Cmd {
	if m.Ledgers == nil || dir == "" {
		return nil
	}
	var cmd tea.Cmd
	if m.onGate() {
		cmd = m.remove(m.top().id)
	}
	m.status = status{}
	return tea.Batch(cmd, m.push(gateview.New(gateview.Options{
		Context: m.ctx, Gates: m.Ledgers, Now: m.opts.Now, Dir: dir, Mode: mode, Of: of,
		CanChange: m.Changes != nil, CanEdit: m.Actions != nil,
	})))
}

// showPage puts the page of a project on the screen.
func (m *model) showPage(p *project.Page) tea.Cmd {
	m.led = nil
	return tea.Batch(m.toBase(), m.push(p))
}

// leadOn leaves the page for a list.
func (m *model) leadOn() tea.Cmd {
	m.led = m.projectPage()
	m.ledgerFor = m.pageOf()
	return m.toBase()
}

// subject is the row that an action is about.
func (m *model) subject() *sessions.Row { return m.top().screen.Subject().Row }

// pageDir is the project whose page would be opened here, "" none.
func (m *model) pageDir() string {
	switch row := m.subject(); {
	case m.Projects == nil:
	case m.onLedger():
		return m.ledger.Subject().Dir
	case row != nil:
		return row.Project
	case m.top().screen == m.lists:
		return m.lists.Listed()
	}
	return ""
}

func (m *model) hasPage() bool { return m.pageDir() != "" }

// openPage shows the page of the project of what is here.
func (m *model) openPage() tea.Cmd {
	dir := m.pageDir()
	if dir == "" {
		return nil
	}
	if !m.isReading() {
		return m.showPage(m.newPage(dir, nil))
	}
	if m.pageOf() == dir { // it was opened there
		return m.pop(m.top().id)
	}
	row := *m.subject()
	return m.showPage(m.newPage(dir, &row))
}

// newPage is the page of a project; behind is what was read when it was opened, nil: the list was there.
func (m *model) newPage(dir string, behind *sessions.Row) *project.Page {
	return project.New(project.Options{Context: m.ctx, Projects: m.Projects, Now: m.opts.Now, Dir: dir, Row: m.lists.Held, Behind: behind})
}

// toRow leaves for the list of a project, with the bar on a row.
func (m *model) toRow(to screen.Show) tea.Cmd {
	left := m.leadOn()
	m.lists.To(to)
	return tea.Batch(left, m.toTab(slices.Index(kinds(), to.Kind)))
}
