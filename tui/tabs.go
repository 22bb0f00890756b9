package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The tabs, first those of the lists in the order of kinds.
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

func tabName(tab int) string {
	return [tabs]string{"Sessions", "Backups", "Documents", "Ledger", "Tasks", "Live"}[tab]
}

// tabRow is the state of the tabs.
type tabRow struct {
	tab  int
	used [tabs]bool // tabs that have or had content in this run

	live, waiting int // sessions that a client has open, and that wait for the user
}

// hasTab reports whether a tab is shown. Sessions and Backups always are. The other tabs need content.
func (t *tabRow) hasTab(tab int) bool { return tab < documentsTab || t.used[tab] }

// next returns the next visible tab in the direction step, or from.
func (t *tabRow) next(from, step int) int {
	step = (step + tabs) % tabs
	tab := (from + step) % tabs
	for tab != from && !t.hasTab(tab) {
		tab = (tab + step) % tabs
	}
	return tab
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
	dir, narrow := m.ledgerDir(), m.width < screen.PreviewFrom
	m.ledger.Left()
	m.tasks.Left()
	if tab >= lists {
		m.lists.Left()
	}
	id := m.turnTo(tab)
	var asked []screen.Effect
	switch tab {
	case ledgerTab:
		asked = m.ledger.To(dir, narrow)
	case tasksTab:
		asked = m.tasks.To(dir, narrow)
	case liveTab:
		m.liveNow.Update()
	default:
		asked = m.lists.Show(kinds()[tab])
	}
	cmd := m.carry(id, asked)
	m.arrange()
	return tea.Batch(left, cmd)
}

// leaveForTab closes the screens in front of the lists and shows a tab. Esc returns to an open project page.
func (m *model) leaveForTab(tab int) tea.Cmd {
	if m.onPage() {
		return tea.Batch(m.leavePage(), m.toTab(tab))
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

// leaveByStep goes from a project page or the gate to the tab that is step tabs away. The gate belongs to the Ledger
// tab.
func (m *model) leaveByStep(step int) tea.Cmd {
	if m.onPage() {
		cmd := m.leavePage()
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
