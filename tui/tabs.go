package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/render"
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

// hasTab reports whether a tab is shown: sessions and backups always, documents and the ledger once any project has one.
func (m *model) hasTab(tab int) bool { return tab < documentsTab || m.used[tab] }

// useTabs notes which tabs anything is in. A tab that was shown stays.
func (m *model) useTabs() {
	m.used[documentsTab] = m.used[documentsTab] || m.lists.Tally(sessions.KindDocument).Total > 0
	for _, has := range m.hasLedgers {
		m.used[ledgerTab] = m.used[ledgerTab] || has
	}
}

func (m *model) hasTabs() bool {
	n := 0
	for tab := range tabs {
		if m.hasTab(tab) {
			n++
		}
	}
	return n > 1
}

func (m *model) stepTab(step int) tea.Cmd {
	for tab := (m.tab + step) % tabs; tab != m.tab; tab = (tab + step) % tabs {
		if m.hasTab(tab) {
			return m.toTab(tab)
		}
	}
	return nil
}

// shownTab is the tab that the heavy line is under: the gate is one of the ledger's.
func (m *model) shownTab() int {
	if m.onGate() && m.hasTab(ledgerTab) {
		return ledgerTab
	}
	return m.tab
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
	m.showTab(tab)
	m.ledgerFor = ""
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
		return tea.Batch(cmd, m.baseAsIs())
	}
	return tea.Batch(cmd, m.toTab(tab))
}

// leaveByStep goes on by so many tabs from that of what is in front: the gate stands in that of the ledger.
func (m *model) leaveByStep(step int) tea.Cmd {
	step = (step + tabs) % tabs
	if m.onPage() {
		cmd := m.leadOn()
		m.arrange()
		if on := m.stepTab(step); on != nil {
			return tea.Batch(cmd, on)
		}
		return tea.Batch(cmd, m.carry(listScreen, m.lists.Reopened()))
	}
	for tab := (ledgerTab + step) % tabs; tab != ledgerTab; tab = (tab + step) % tabs {
		if m.hasTab(tab) {
			return m.leaveForTab(tab)
		}
	}
	return nil
}

// tabSpan is a tab in the first line.
type tabSpan struct {
	tab, x, w int
	count     string
	pending   string
}

// tabStrip says where the tabs stand. Where there is no room for that only the one that is shown has its count: what is
// pending is never without the count where both are known.
func (m *model) tabStrip() []tabSpan {
	strip := m.tabSpans(true)
	last := &strip[len(strip)-1]
	if m.width < previewFrom && last.x+last.w+3+min(m.folderWidth(), leastFolder)+1 > m.width {
		strip = m.tabSpans(false)
	}
	if last = &strip[len(strip)-1]; m.tab == ledgerTab && last.x+last.w >= m.width {
		return fromRight(strip, m.width)
	}
	return strip
}

// fromRight leaves as many of the last tabs as there is room for: what is shown has to be among them.
func fromRight(strip []tabSpan, width int) []tabSpan {
	x, n := strip[0].x, len(strip)
	gap := strip[len(strip)-1].x - strip[len(strip)-2].x - strip[len(strip)-2].w
	at := x
	for n > 0 && (n == len(strip) || at+strip[n-1].w < width) {
		n--
		at += strip[n].w + gap
	}
	strip = strip[n:]
	for i := range strip {
		strip[i].x = x
		x += strip[i].w + gap
	}
	return strip
}

// leastFolder is how much of the folder has to have room beside the tabs, in cells.
const leastFolder = 16

// folderWidth is what the folder takes in the first line.
func (m *model) folderWidth() int {
	if m.opts.Project == "" {
		return 0
	}
	return min(ansi.StringWidth(render.Folder(m.opts.Project, m.opts.Home)), 48)
}

// tabSpans lays the tabs out; all have their counts, or only the one that is shown.
func (m *model) tabSpans(all bool) []tabSpan {
	x, gap := 13, 4
	if m.width < previewFrom {
		x, gap = 11, 2
	}
	loading, partial := m.lists.IsLoading()
	var strip []tabSpan
	for tab := range tabs {
		if !m.hasTab(tab) {
			continue
		}
		s, t := tabSpan{tab: tab, x: x}, &list.Tally{}
		if tab < lists {
			t = m.lists.Tally(kinds()[tab])
		}
		switch {
		case tab == ledgerTab:
		case loading && t.Total == 0, partial:
			s.count = " …"
		case all || tab == m.tab:
			s.count = " " + words.Count(t.InScope-t.GoneHere)
		}
		if t.PendingHere > 0 {
			s.pending = " " + words.Count(t.PendingHere) + "!"
		}
		s.w = len(tabName(tab)) + len([]rune(s.count)) + len(s.pending)
		x += s.w + gap
		strip = append(strip, s)
	}
	return strip
}

// drawTabs draws the first line of the lists.
func (m *model) drawTabs() string {
	l := render.NewLine(m.styles, m.width).To(1).Put(render.AccentBold, "continuo")
	for _, s := range m.tabStrip() {
		ink := render.Muted
		if s.tab == m.shownTab() {
			ink = render.Strong
		}
		l.To(s.x).Put(ink, tabName(s.tab)).Put(render.Faint, s.count).Put(render.Urgent, s.pending)
	}
	if m.opts.Project != "" {
		folder := render.Folder(m.opts.Project, m.opts.Home)
		room := min(m.folderWidth(), 48)
		if left := m.width - 4 - l.At(); left >= leastFolder {
			room = min(room, left)
		}
		l.Right(m.width-1, render.Span{Ink: render.Muted, Text: "   " + words.CutMiddle(folder, room)})
	}
	return l.String()
}

// drawRule draws the hairline, heavy under the tab that is shown where there are tabs above it.
func (m *model) drawRule(tabs bool) string {
	l := render.NewLine(m.styles, m.width)
	if tabs {
		for _, s := range m.tabStrip() {
			if s.tab == m.shownTab() {
				l.Put(render.Rule, strings.Repeat("─", s.x)).Put(render.AccentBold, strings.Repeat("━", s.w))
			}
		}
	}
	if d := m.layout.Divider; d > l.At() {
		l.Put(render.Rule, strings.Repeat("─", d-l.At())+"┬")
	}
	if n := m.width - l.At(); n > 0 {
		l.Put(render.Rule, strings.Repeat("─", n))
	}
	return l.String()
}
