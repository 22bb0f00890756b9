package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// ledgersMsg names the projects that were looked at, and those that have a ledger.
type ledgersMsg struct{ looked, in []string }

// findLedgers looks for the ledgers of projects.
func findLedgers(ctx context.Context, ledgers Ledgers, dirs []string) tea.Cmd {
	return func() tea.Msg { return ledgersMsg{looked: dirs, in: ledgers.In(ctx, dirs)} }
}

// knownLedgers is which projects have a ledger, as far as that was looked for.
type knownLedgers struct {
	has   map[string]bool
	stale bool // there may be projects whose ledger was not looked for
}

// of reports whether a project has a ledger, and whether that is known.
func (k *knownLedgers) of(dir string) (has, known bool) {
	has, known = k.has[dir]
	return has, known
}

// forget has the projects looked at again that had none: there may be one by now.
func (k *knownLedgers) forget() {
	for dir, has := range k.has {
		if !has {
			delete(k.has, dir)
			k.stale = true
		}
	}
}

// newLedger is the screen of the Ledger tab.
func newLedger(m *model) *ledgerview.Page {
	return ledgerview.New(ledgerview.Options{
		Context: m.ctx, Ledgers: m.Ledgers, Now: m.opts.Now, CanChange: m.Changes != nil, CanOpen: m.Actions != nil,
		Prose: func(text string, prose, code int, s *render.Styles) []string { return m.prose(text, prose, code, s) }, Newest: m.lists.Newest,
	})
}

// ledgerDir is the project whose ledger the tab is about: that of the page, else that of the list, else that of the row
// under its bar; "" none.
func (m *model) ledgerDir() string {
	row := m.lists.Subject().Row
	switch {
	case m.ledgerFor != "":
		return m.ledgerFor
	case m.tab == ledgerTab:
		return m.ledger.Subject().Dir
	case m.pageOf() != "":
		return m.pageOf()
	case m.lists.Listed() != "":
		return m.lists.Listed()
	case row != nil && row.Project != "":
		return row.Project
	}
	return m.lists.Project()
}

// wantsLedger has the ledgers of the listed projects looked for, once the list stands: their tab is shown when any has one.
func (m *model) wantsLedger() tea.Cmd {
	if m.Ledgers == nil || m.lists.IsLoading() || m.feed.gen == 0 || !m.ledgers.stale || m.top().screen != m.lists && !m.onPage() {
		return nil
	}
	m.ledgers.stale = false
	var dirs []string
	unknown := func(dir string) {
		if _, known := m.ledgers.of(dir); dir != "" && !known && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	unknown(m.lists.Project())
	for _, kind := range kinds() {
		for r := range m.lists.Rows(kind) {
			unknown(r.Project)
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	return findLedgers(m.ctx, m.Ledgers, dirs)
}

// ledgersFound takes in which projects have a ledger.
func (m *model) ledgersFound(msg ledgersMsg) {
	for _, dir := range msg.looked {
		m.ledgers.has[dir] = slices.Contains(msg.in, dir)
	}
	had := m.used
	if m.useTabs(); m.used != had {
		m.arrange()
	}
}

// openLedger shows the tab, and has the ledger looked at.
func (m *model) openLedger() tea.Cmd {
	dir := m.ledgerDir()
	m.tab, m.stack[0], m.ledgerFor = ledgerTab, m.bases[ledgerScreen], ""
	asked := m.carry(ledgerScreen, m.ledger.To(dir, m.width < screen.PreviewFrom))
	m.arrange()
	return asked
}

// lookForLedger has a project looked at again that had no ledger: there may be one by now.
func (m *model) lookForLedger() {
	if m.tab == ledgerTab || !m.awake.Load() {
		return
	}
	m.ledgers.forget()
	m.ledger.Forgive()
}
