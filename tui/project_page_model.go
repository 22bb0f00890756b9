package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// onPage reports whether the page of a project is shown: a conversation that was opened on it stands before it.
func (m *model) onPage() bool { return m.project != nil && m.reader == nil && m.gate == nil }

// isCovered reports whether something stands in the place of the list.
func (m *model) isCovered() bool {
	return m.reader != nil || m.project != nil || m.gate != nil || m.tab == ledgerTab
}

// onHead reports whether the bar is on the line above the list, which names the project.
func (m *model) onHead() bool { return m.list.onHead && m.canHead() }

// canHead reports whether the bar can stand there: the list is that of one project, and the line names it.
func (m *model) canHead() bool {
	return m.Projects != nil && !m.isCovered() && !m.scope.wide() && !m.list.typing && !m.list.isFiltered() &&
		m.layout.context.h > 0 && !m.layout.flipped && m.list.tally.inScope > 0
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
		return m.ledger.dir
	case row != nil:
		return row.Project
	case m.reader == nil && !m.scope.wide():
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
	var cmd tea.Cmd
	var back *sessions.Row
	if m.reader != nil {
		row := m.reader.row
		back, cmd = &row, m.leaveReader()
		if m.project != nil && m.project.dir == dir { // it was opened there
			return cmd
		}
	}
	return tea.Batch(cmd, m.showPage(projectPage{dir: dir, back: back}))
}

// showPage puts a page on the screen, and has its project looked at.
func (m *model) showPage(p projectPage) tea.Cmd {
	m.dropPage()
	m.preview.stop()
	m.pageGen++
	m.led, p.gen = nil, m.pageGen
	p.ctx, p.cancel = context.WithCancel(m.ctx)
	m.project = &p
	m.arrange()
	return tea.Batch(m.askPage(), waitPage(p.ctx, p.gen), tickPage(p.ctx, m.opts.Now, p.gen))
}

// backToPage returns to the page that led to the list, as it was.
func (m *model) backToPage() tea.Cmd {
	p := m.led
	return m.showPage(projectPage{dir: p.dir, back: p.back, facts: p.facts, bar: p.bar, touched: p.touched, top: p.top})
}

// leadOn leaves the page for a list.
func (m *model) leadOn() {
	led := m.project
	m.dropPage()
	m.led, m.ledgerFor = led, led.dir
}

// askPage has the project looked at. One look is on its way at a time.
func (m *model) askPage() tea.Cmd {
	p := m.project
	if p.asking {
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	return askProject(p.ctx, m.Projects, p.dir, m.opts.Now, p.gen)
}

func (m *model) isPage(gen int) bool { return m.project != nil && m.project.gen == gen }

// paged takes the message of a page in.
func (m *model) paged(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case projectMsg:
		return m.projectLooked(msg)
	case pageSlowMsg:
		if m.isPage(msg.gen) {
			m.project.slow = m.project.facts == nil && m.project.err == nil
		}
	case pageDueMsg:
		if m.isPage(msg.gen) {
			m.project.due = false
			return m.askPage()
		}
	case pageClockMsg:
		return m.pageTicked(msg)
	}
	return nil
}

func (m *model) projectLooked(msg projectMsg) tea.Cmd {
	if !m.isPage(msg.gen) {
		return nil
	}
	p := m.project
	p.asking, p.asked = false, msg.asked
	p.arrived(msg.facts, msg.err)
	if msg.facts.Checked.After(m.now) {
		m.now = msg.facts.Checked.In(m.zone)
	}
	m.renewPage()
	if p.again {
		return m.pageChanged()
	}
	return nil
}

// pageTicked is called each second: the page says how old it is, and is looked at again when that is long ago.
func (m *model) pageTicked(msg pageClockMsg) tea.Cmd {
	if !m.isPage(msg.gen) {
		return nil
	}
	p := m.project
	if m.now = msg.now; m.onPage() {
		m.drawPage()
	}
	tick := tickPage(p.ctx, m.opts.Now, p.gen)
	if m.awake.Load() && m.onPage() && !p.asking && m.now.Sub(p.asked) >= pageStale {
		return tea.Batch(tick, m.askPage())
	}
	return tick
}

// pageChanged has a project looked at that has changed, at most every two seconds.
func (m *model) pageChanged() tea.Cmd {
	if m.project == nil || m.project.due {
		return nil
	}
	m.project.due = true
	return waitPageDue(m.project.ctx, m.project.gen)
}

// isOfPage reports whether changes, that the lists have not taken in yet, are of the project.
func (m *model) isOfPage(b *sessions.Batch) bool {
	mine := func(r *sessions.Row) bool {
		return r != nil && (r.Project == m.project.dir || r.Workdir == m.project.dir)
	}
	return m.project != nil && (slices.ContainsFunc(b.Rows, func(r sessions.Row) bool { return mine(&r) }) ||
		slices.ContainsFunc(b.Gone, func(path string) bool { return mine(m.heldRow(path)) }))
}

// renewPage shows what the lists know by now of the rows on the page.
func (m *model) renewPage() {
	if m.project != nil {
		m.project.renew(m.heldRow)
		m.drawPage()
	}
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

// dropPage forgets the page.
func (m *model) dropPage() {
	if m.project != nil {
		m.project.cancel()
		m.project = nil
	}
}

// leavePage goes back to where the page was opened.
func (m *model) leavePage() tea.Cmd {
	back := m.project.back
	m.dropPage()
	m.arrange()
	if back != nil {
		return m.openReader(*back)
	}
	return m.narrow()
}

// goIn opens what the bar stands on: a conversation, a document, the list that has what waits.
func (m *model) goIn() tea.Cmd {
	p := m.project
	if !p.isSeen(m.layout.body.h) {
		p.reveal(m.layout.body.h)
		return nil
	}
	if row := p.row(); row != nil {
		return m.openReader(*row)
	}
	need := p.need()
	if need == nil {
		return nil
	}
	tab := sessionsTab
	switch need.Kind {
	case survey.NeedQuestion:
		if row := m.heldRow(need.Path); row != nil {
			return m.openReader(*row)
		}
	case survey.NeedPending, survey.NeedUnseen:
		tab = backupsTab
	case survey.NeedHooks:
		m.status.say("continuo doctor hooks says why.")
		return nil
	case survey.NeedPurge, survey.NeedUnsaved:
	}
	if m.heldRow(need.Path) == nil {
		m.status.say("It is not in the list yet.")
		return nil
	}
	return m.toRow(tab, need.Path)
}

// toRow leaves the page for the list of its project, with the bar on a row.
func (m *model) toRow(tab int, path string) tea.Cmd {
	m.scope.project, m.scope.all = m.project.dir, false
	m.leadOn()
	l := &m.lists[tab]
	l.pattern, l.hits, l.answered, l.onHead = "", nil, "", false
	l.sel, l.touched, l.best = path, true, false
	cmd := m.toTab(tab)
	m.relist()
	m.list.reveal(m.layout.body.h)
	return cmd
}

// whyNotGoIn is the reason why enter does nothing.
func (m *model) whyNotGoIn() string {
	return whyNotOpened(m.project.row())
}

// onItem reports whether the bar stands on something.
func (m *model) onItem() bool { return m.project != nil && m.project.bar.Kind != survey.ItemNone }

func (m *model) pageHasColumns() bool { return m.project != nil && m.project.hasColumns() }

// clickPage puts the bar on what is clicked, and goes in at the second click.
func (m *model) clickPage(x, y int) tea.Cmd {
	l := m.layout
	switch {
	case l.title.has(x, y):
		for _, s := range m.tabStrip() {
			if x >= s.x && x < s.x+s.w {
				m.leadOn()
				return m.toTab(s.tab)
			}
		}
	case l.body.has(x, y):
		item, ok := m.project.at(x, y-l.body.y)
		switch {
		case !ok:
		case item == m.project.bar && m.whyNotGoIn() == "":
			return m.goIn()
		default:
			m.project.choose(item, l.body.h)
			m.drawPage()
		}
	}
	return nil
}
