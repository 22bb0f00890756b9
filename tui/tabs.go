package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The tabs, in the order of kinds.
const (
	sessionsTab = iota
	backupsTab
	documentsTab
	ledgerTab
	tabs              // how many there are
	lists = ledgerTab // how many are lists
)

func kinds() []sessions.Kind {
	return []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument}
}

// tabName is the word on a tab.
func tabName(tab int) string { return [tabs]string{"Sessions", "Backups", "Documents", "Ledger"}[tab] }

// tabRow is which tabs there are, and which is shown.
type tabRow struct {
	tab  int
	used [tabs]bool // tabs with something in them, now or earlier
}

// hasTab reports whether a tab is shown: sessions and backups always, documents and the ledger once any project has one.
func (t *tabRow) hasTab(tab int) bool { return tab < documentsTab || t.used[tab] }

// next is the next tab from one on, in steps; from itself: there is no other.
func (t *tabRow) next(from, step int) int {
	step = (step + tabs) % tabs
	tab := (from + step) % tabs
	for tab != from && !t.hasTab(tab) {
		tab = (tab + step) % tabs
	}
	return tab
}

// useTabs notes which tabs anything is in. A tab that was shown stays.
func (m *model) useTabs() {
	m.used[documentsTab] = m.used[documentsTab] || m.lists.Tally(sessions.KindDocument).Total > 0
	for _, has := range m.ledgers.has {
		m.used[ledgerTab] = m.used[ledgerTab] || has
	}
}

func (m *model) stepTab(step int) tea.Cmd {
	if tab := m.next(m.tab, step); tab != m.tab {
		return m.toTab(tab)
	}
	return nil
}

// toTab shows another list. Each keeps its bar and its filter.
func (m *model) toTab(tab int) tea.Cmd {
	if dir := m.pageOf(); dir != "" {
		m.ledgerFor = dir
	}
	left := m.toBase()
	if tab == ledgerTab {
		m.lists.Left()
		return tea.Batch(left, m.openLedger())
	}
	m.ledger.Left()
	m.tab, m.stack[0], m.ledgerFor = tab, m.bases[listScreen], ""
	narrowed := m.carry(listScreen, m.lists.Show(kinds()[tab]))
	m.arrange()
	return tea.Batch(left, narrowed)
}

// leaveForTab leaves what is in front of the lists for a tab. From the page of a project esc leads back to it.
func (m *model) leaveForTab(tab int) tea.Cmd {
	if m.onPage() {
		return tea.Batch(m.leadOn(), m.toTab(tab))
	}
	cmd := m.toBase()
	if tab == m.tab && m.onBase() {
		m.arrange()
		if base, ok := m.stack[0].screen.(screen.Reopened); ok { // something of it may have been mended
			cmd = tea.Batch(cmd, m.carry(m.stack[0].id, base.Reopened()))
		}
		return cmd
	}
	return tea.Batch(cmd, m.toTab(tab))
}

// leaveByStep goes on by so many tabs from that of what is in front: the gate stands in that of the ledger.
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
