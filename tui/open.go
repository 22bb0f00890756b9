package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/project"
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

// openPage shows the page of the project of what is here.
func (m *model) openPage() tea.Cmd {
	dir := m.pageDir()
	if dir == "" {
		return nil
	}
	o := project.Options{Context: m.ctx, Projects: m.Projects, Now: m.opts.Now, Dir: dir, Row: m.lists.Held}
	if m.isReading() {
		if m.pageOf() == dir { // it was opened there
			return m.pop(m.top().id)
		}
		row := *m.subject()
		o.Behind = &row
	}
	return m.showPage(project.New(o))
}
