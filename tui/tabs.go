package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The tabs. Those of the lists are in the order of the kinds.
const (
	sessionsTab = iota
	backupsTab
	documentsTab
	ledgerTab
	tasksTab
	liveTab
	tabs              // number of tabs
	lists = ledgerTab // number of lists
)

func kinds() []sessions.Kind {
	return []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument}
}

// tabName returns the label of a tab.
func tabName(tab int) string {
	return [tabs]string{"Sessions", "Backups", "Documents", "Ledger", "Tasks", "Live"}[tab]
}

// tabRow knows which tabs are shown, and which tab is the current one.
type tabRow struct {
	tab  int
	used [tabs]bool // the tabs that have content, or had it

	live, waiting int // number of sessions that a client has open, and how many of them wait for the user
}

// hasTab reports whether a tab is shown. The tabs of sessions, backups and live sessions are always shown. The tabs of
// documents, the ledger and tasks are shown as soon as a project has them.
func (t *tabRow) hasTab(tab int) bool { return tab < documentsTab || t.used[tab] }

// next returns the next shown tab in a direction. If there is no other tab, it returns from.
func (t *tabRow) next(from, step int) int {
	step = (step + tabs) % tabs
	tab := (from + step) % tabs
	for tab != from && !t.hasTab(tab) {
		tab = (tab + step) % tabs
	}
	return tab
}

// useTabs finds out which tabs have content. A tab that was shown stays.
func (m *model) useTabs() {
	m.used[documentsTab] = m.used[documentsTab] || m.lists.Tally(sessions.KindDocument).Total > 0
	for _, has := range m.ledgers.has {
		m.used[ledgerTab] = m.used[ledgerTab] || has
	}
	for _, n := range m.ledgers.tasks {
		m.used[tasksTab] = m.used[tasksTab] || n > 0
	}
	if m.Live == nil {
		return
	}
	had, waited := m.live > 0, m.waiting
	m.live, m.waiting = live.Count(m.lists.Rows(sessions.KindSession))
	if m.opts.Bell && had && m.waiting > waited { // not for those that waited before the start
		m.due = append(m.due, tea.Raw("\a"))
	}
	m.liveNow.Update()
}

func (m *model) stepTab(step int) tea.Cmd {
	if tab := m.next(m.tab, step); tab != m.tab {
		return m.toTab(tab)
	}
	return nil
}

// toTab shows another tab. Each list has its own bar and filter.
func (m *model) toTab(tab int) tea.Cmd {
	if dir := m.pageOf(); dir != "" {
		m.ledgerFor = dir
	}
	left := m.toBase()
	dir := m.ledgerDir()
	m.ledger.Left()
	m.tasks.Left()
	if tab == ledgerTab || tab == tasksTab {
		m.lists.Left()
		return tea.Batch(left, m.openOf(tab, dir))
	}
	if tab == liveTab {
		m.lists.Left()
		m.tab, m.stack[0], m.ledgerFor = liveTab, m.bases[liveScreen], ""
		m.liveNow.Update()
		m.arrange()
		return left
	}
	m.tab, m.stack[0], m.ledgerFor = tab, m.bases[listScreen], ""
	narrowed := m.carry(listScreen, m.lists.Show(kinds()[tab]))
	m.arrange()
	return tea.Batch(left, narrowed)
}

// leaveForTab closes the screens in front of the lists, and shows a tab. If the page of a project was open, esc
// then returns to this page.
func (m *model) leaveForTab(tab int) tea.Cmd {
	if m.onPage() {
		return tea.Batch(m.leadOn(), m.toTab(tab))
	}
	cmd := m.toBase()
	if tab == m.tab && m.onBase() {
		m.arrange()
		if base, ok := m.stack[0].screen.(screen.Reopened); ok { // the ledger may have changed
			cmd = tea.Batch(cmd, m.carry(m.stack[0].id, base.Reopened()))
		}
		return cmd
	}
	return tea.Batch(cmd, m.toTab(tab))
}

// leaveByStep goes to the tab that is step tabs away, in the same way as leaveForTab. The gate belongs to the
// Ledger tab.
func (m *model) leaveByStep(step int) tea.Cmd {
	if m.onPage() {
		cmd := m.leadOn()
		m.arrange()
		if on := m.stepTab(step); on != nil {
			return tea.Batch(cmd, on)
		}
		return tea.Batch(cmd, m.carry(listScreen, m.lists.Reopened()))
	}
	if tab := m.next(ledgerTab, step); tab != ledgerTab {
		return m.leaveForTab(tab)
	}
	return nil
}
