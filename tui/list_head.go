package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// isCovered reports whether something stands in the place of the list.
func (m *model) isCovered() bool {
	return !m.onBase() || m.tab == ledgerTab
}

// onHead reports whether the bar is on the line above the list, which names the project.
func (m *model) onHead() bool { return m.list.onHead && m.canHead() }

// canHead reports whether the bar can stand there: the list is that of one project, and the line names it.
func (m *model) canHead() bool {
	return m.Projects != nil && !m.isCovered() && !m.scope.wide() && !m.list.typing && !m.list.isFiltered() &&
		m.layout.Context.H > 0 && !m.layout.Flipped && m.list.tally.inScope > 0
}

// moveInList moves the bar of the list; above its first row is the project.
func (m *model) moveInList(delta, rows int) {
	l := m.list
	switch {
	case m.onHead() && delta > 0:
		if l.onHead = false; delta > 1 {
			l.move(delta-1, rows)
		}
	case m.onHead():
	case delta == -1 && m.canHead() && l.rowFrom(l.index()-1, -1) < 0:
		l.move(delta, rows)
		l.onHead = true
	default:
		l.move(delta, rows)
	}
}

// pageDir is the project whose page would be opened here, "" none.
func (m *model) pageDir() string {
	switch row := m.subject(); {
	case m.Projects == nil:
	case m.onLedger():
		return m.ledger.Subject().Dir
	case row != nil:
		return row.Project
	case !m.scope.wide():
		return m.scope.project
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
	return project.New(project.Options{Context: m.ctx, Projects: m.Projects, Now: m.opts.Now, Dir: dir, Row: m.heldRow, Behind: behind})
}

// heldRow is a row of the lists, nil when none has it.
func (m *model) heldRow(path string) *sessions.Row {
	for i := range m.lists {
		if h := m.lists[i].held[path]; h != nil {
			return &h.row
		}
	}
	return nil
}

// toRow leaves for the list of a project, with the bar on a row.
func (m *model) toRow(to screen.Show) tea.Cmd {
	m.scope.project, m.scope.all = to.Dir, false
	left := m.leadOn()
	tab := sessionsTab
	for i, kind := range kinds() {
		if kind == to.Kind {
			tab = i
		}
	}
	l := &m.lists[tab]
	l.field.Set("")
	l.hits, l.answered, l.onHead = nil, "", false
	l.sel, l.touched, l.best = to.Path, true, false
	cmd := m.toTab(tab)
	m.relist()
	m.list.reveal(m.layout.Body.H)
	return tea.Batch(left, cmd)
}

// enterList reads the row under the bar, opens the page of the project above the rows, or the demo where there are none.
func (m *model) enterList() tea.Cmd {
	switch {
	case m.onHead():
		return m.openPage()
	case m.offersDemo():
		return m.openDemo()
	}
	return m.readSelected()
}

func (m *model) canEnterList() bool { return m.onHead() || m.offersDemo() || m.canEnter() }

func (m *model) whyNotEnter() string {
	if m.onHead() || m.offersDemo() {
		return ""
	}
	return m.whyNotRead()
}

// enterWord is what enter does there.
func (m *model) enterWord() string {
	switch {
	case m.onHead():
		return "project page"
	case m.offersDemo():
		return "demo"
	}
	return ""
}

// withHead puts the bar before the line above the list when it stands there.
func (m *model) withHead(line string) string {
	if !m.onHead() {
		return line
	}
	return m.styles.Paint(render.AccentBold, "▌") + ansi.TruncateLeft(line, 1, "")
}
