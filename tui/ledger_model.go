package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/field"
)

// onLedger reports whether the Ledger tab is shown: the page of a project and a conversation stand before it.
func (m *model) onLedger() bool {
	return m.tab == ledgerTab && m.onBase()
}

// ledgerDir is the project whose ledger the tab is about: that of the page, else that of the list, else that of the row
// under its bar; "" none.
func (m *model) ledgerDir() string {
	row := m.list.selected()
	switch {
	case m.ledgerFor != "":
		return m.ledgerFor
	case m.tab == ledgerTab && m.ledger != nil:
		return m.ledger.dir
	case m.pageOf() != "":
		return m.pageOf()
	case !m.scope.wide():
		return m.scope.project
	case row != nil && row.Project != "":
		return row.Project
	}
	return m.scope.project
}

// wantsLedger has the ledgers of the listed projects looked for, once the list stands: their tab is shown when any has one.
func (m *model) wantsLedger() tea.Cmd {
	if m.Ledgers == nil || m.loading || m.loadGen == 0 || !m.newFolders {
		return nil
	}
	m.newFolders = false
	var dirs []string
	unknown := func(dir string) {
		if _, known := m.hasLedgers[dir]; dir != "" && !known && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	unknown(m.scope.project)
	for i := range m.lists {
		for _, h := range m.lists[i].held {
			unknown(h.row.Project)
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
		m.hasLedgers[dir] = slices.Contains(msg.in, dir)
	}
	had := m.used
	if m.useTabs(); m.used != had {
		m.arrange()
	}
}

// aboutLedger makes a project the one whose ledger is looked at.
func (m *model) aboutLedger(dir string) {
	if m.ledger != nil && m.ledger.dir == dir {
		return
	}
	if m.ledger != nil {
		m.ledger.cancel()
	}
	m.ledgerGen++
	p := &ledgerPane{dir: dir, gen: m.ledgerGen}
	p.outline.field, p.content.field = field.New(field.Words), field.New(field.Words)
	p.content.texts = &ledgerTexts{}
	p.ctx, p.cancel = context.WithCancel(m.ctx)
	m.ledger = p
}

// openLedger shows the tab, and has the ledger looked at.
func (m *model) openLedger() tea.Cmd {
	dir := m.ledgerDir()
	m.ledgerFor = ""
	m.preview.stop()
	m.aboutLedger(dir)
	m.tab = ledgerTab
	m.ledgerTicks++
	m.ledger.typing, m.ledger.inside = false, m.ledger.inside && m.width >= previewFrom
	m.arrange()
	return tea.Batch(m.askLedger(), waitLedger(m.ledger.ctx, m.ledger.gen), tickLedger(m.ledger.ctx, m.opts.Now, m.ledgerTicks))
}

// askLedger has the ledger looked at. One look is on its way at a time.
func (m *model) askLedger() tea.Cmd {
	p := m.ledger
	if p == nil {
		return nil
	}
	if p.asking {
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	return lookAtLedger(p.ctx, m.Ledgers, p.dir, p.facts, m.opts.Now, p.gen)
}

// ledgerChanged has it looked at again after something was done.
func (m *model) ledgerChanged() tea.Cmd {
	if m.Ledgers == nil || m.ledger == nil {
		return nil
	}
	return m.askLedger()
}

// ledgered takes the message of a ledger in.
func (m *model) ledgered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ledgersMsg:
		m.ledgersFound(msg)
	case ledgerMsg:
		return m.ledgerLooked(msg)
	case ledgerSlowMsg:
		if p := m.ledger; p != nil && p.gen == msg.gen {
			p.slow = p.facts == nil && p.err == nil
		}
	case ledgerClockMsg:
		return m.ledgerTicked(msg)
	case ledgerDrawnMsg:
		if p := m.ledger; p != nil && p.gen == msg.gen {
			p.content.texts.put(msg)
			p.content.rendered(msg)
		}
	}
	return nil
}

func (m *model) ledgerLooked(msg ledgerMsg) tea.Cmd {
	p := m.ledger
	if p == nil || p.gen != msg.gen {
		return nil
	}
	p.arrived(msg)
	if msg.err == nil {
		m.hasLedgers[p.dir] = p.has()
		if at := msg.at; at.After(m.now) {
			m.now = at.In(m.zone)
		}
		m.useTabs()
	}
	m.drawLedger()
	if p.again {
		return m.askLedger()
	}
	return nil
}

// ledgerTicked is called each second while the tab is shown: it says how old it is, and is looked at again when that is
// long ago.
func (m *model) ledgerTicked(msg ledgerClockMsg) tea.Cmd {
	if m.tab != ledgerTab || msg.ticks != m.ledgerTicks {
		return nil
	}
	p := m.ledger
	if m.now = msg.now; m.onLedger() {
		m.drawLedger()
	}
	tick := tickLedger(p.ctx, m.opts.Now, m.ledgerTicks)
	if m.awake.Load() && m.onLedger() && !p.asking && m.now.Sub(p.asked) >= ledgerStale {
		return tea.Batch(tick, m.askLedger())
	}
	return tick
}

// lookForLedger has a project looked at again that had no ledger: there may be one by now.
func (m *model) lookForLedger() {
	if m.tab == ledgerTab || !m.awake.Load() {
		return
	}
	for dir, has := range m.hasLedgers {
		if !has {
			delete(m.hasLedgers, dir)
			m.newFolders = true
		}
	}
	if m.ledger != nil && m.ledger.err != nil {
		m.ledger.err = nil
	}
}

// leaveLedger is called when another tab is shown.
func (m *model) leaveLedger() {
	if m.ledger != nil {
		m.ledger.typing = false
	}
}

// ledgerSession is the session that a checkpoint here is about: the newest of the project.
func (m *model) ledgerSession() *sessions.Row {
	return m.ledgerRow(func(*sessions.Row) bool { return true })
}

// ledgerRow is the newest session of the project among some.
func (m *model) ledgerRow(is func(*sessions.Row) bool) *sessions.Row {
	p := m.ledger
	if p == nil {
		return nil
	}
	var newest *sessions.Row
	for _, h := range m.lists[sessionsTab].held {
		r := &h.row
		if r.Deleted || r.Project != p.dir && r.Project != p.root() || !is(r) {
			continue
		}
		if newest == nil || r.Compare(newest) < 0 {
			newest = r
		}
	}
	return newest
}
