package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// menu is what a panel lets one choose from, behind what one has to know first.
type menu struct {
	title, about string // in its upper edge
	points       []point
	items        []offer
	note         string // what has been done so far: nothing
	id           string // of the session that its commands are about
	verb         string // of enter, for items without their own
	plan         bool   // of the guard: its items come to commands
	gen          int    // of the question whose answer it waits for; 0 none
	cancel       func() // ends it; nil: there is none
}

// point is one thing to know.
type point struct {
	glyph        render.Span
	what, detail string
}

// offer is one thing to choose.
type offer struct {
	key  string // one letter
	name string
	note string
	last string // when it was done last, at the right edge
	run  string // the command that it comes to, in words
	line string // the same for a shell
	off  string // why it cannot be chosen
	verb string // of enter
	slow bool   // its letter only goes there
	do   intent

	about  string   // in the upper edge while the bar is on it
	copies *copying // below the choices while the bar is on it
	gap    bool     // a blank line before it, where there is room
	below  string   // in the place of the menu's note while the bar is on it
}

const (
	menuWidth = 80
	menuKey   = 3 // column of the letter
	menuName  = 6
	menuPage  = 8 // lines that are scrolled at once
	menuFrame = 5 // lines around it: borders, a blank line each side, keys
)

// openMenu puts a menu on the screen, with the bar on its first item that can be chosen.
func (m *model) openMenu(mn *menu) tea.Cmd {
	m.dropPanel()
	m.panel = panel{kind: menuPanel, menu: mn}
	m.status = status{} // it was about something before
	m.panel.at = max(slices.IndexFunc(mn.items, func(it offer) bool { return it.off == "" }), 0)
	return nil
}

// inMenuBy moves the bar, and scrolls as far as it takes to see it.
func inMenuBy(delta int) intent {
	return func(m *model) tea.Cmd {
		p := &m.panel
		p.at = min(max(p.at+delta, 0), max(len(p.menu.items)-1, 0))
		p.clicked = 0
		g := m.menuShape()
		m.see(&g)
		m.scrollToItem(&g)
		return nil
	}
}

// scrollMenu scrolls what has no room, never past a line that was not seen.
func scrollMenu(delta int) intent {
	return func(m *model) tea.Cmd {
		g := m.menuShape()
		m.see(&g)
		delta := min(max(delta, -g.rows), g.rows)
		m.panel.top = min(max(g.top+delta, 0), len(g.lines)-g.rows)
		return nil
	}
}

// takeItem does what the bar stands on.
func (m *model) takeItem() tea.Cmd {
	p := &m.panel
	if p.at >= len(p.menu.items) {
		return m.closePanel()
	}
	if !m.showItem() { // nothing is done that one has not seen
		return nil
	}
	it := p.menu.items[p.at]
	if it.off != "" {
		m.status.say(it.name + ": " + it.off)
		return nil
	}
	m.dropPanel()
	return it.do(m)
}

// pick is a letter that is typed in a menu.
func (m *model) pick(letter string) tea.Cmd {
	for i := range m.panel.menu.items {
		if it := &m.panel.menu.items[i]; it.key == letter {
			m.panel.at, m.panel.clicked = i, 0
			if it.slow {
				m.showItem()
				return nil
			}
			return m.takeItem()
		}
	}
	return nil
}

// see remembers the lines that are on the screen now.
func (m *model) see(g *menuShape) {
	p := &m.panel
	if len(p.seen) != len(g.lines) || p.seenIn != g.inner { // it is laid out anew
		p.seen, p.seenIn = make([]bool, len(g.lines)), g.inner
	}
	for i := range g.rows {
		p.seen[g.top+i] = true
	}
}

// scrollToItem scrolls to the item under the bar: to its start, where there is no room for all of it.
func (m *model) scrollToItem(g *menuShape) {
	if len(g.items) > 0 {
		s := g.items[m.panel.at]
		m.panel.top = min(max(g.top, s.to-g.rows), s.from)
	}
}

// isShown reports whether all of the item under the bar is on the screen; of one that has no room on it, whether all
// of it has been, and some is.
func (m *model) isShown(g *menuShape) bool {
	p := &m.panel
	s, end := g.items[p.at], g.top+g.rows
	if s.to-s.from <= g.rows {
		return g.top <= s.from && s.to <= end
	}
	seen := make([]bool, len(g.lines))
	if len(p.seen) == len(seen) && p.seenIn == g.inner {
		copy(seen, p.seen)
	}
	for i := range g.rows {
		seen[g.top+i] = true
	}
	return s.from < end && g.top < s.to && !slices.Contains(seen[s.from:s.to], false)
}

// showItem reports whether the item under the bar is shown. Where not, it scrolls on to what has not been seen of it.
func (m *model) showItem() bool {
	p, g := &m.panel, m.menuShape()
	m.see(&g)
	if m.isShown(&g) {
		return true
	}
	s := g.items[p.at]
	if unseen := slices.Index(p.seen[s.from:s.to], false); unseen > 0 && s.to-s.from > g.rows && s.from < g.top+g.rows && g.top < s.to {
		p.top = min(s.from+unseen, len(g.lines)-g.rows)
		return false
	}
	m.scrollToItem(&g)
	return false
}

// copyRun copies the command of the item under the bar.
func (m *model) copyRun() tea.Cmd {
	p := &m.panel
	if p.at < len(p.menu.items) {
		it, id := p.menu.items[p.at], p.menu.id
		if run := cmp.Or(it.line, strings.Replace(it.run, id[:min(8, len(id))], id, 1)); run != "" && it.off == "" {
			return m.copyText("the command", run)
		}
	}
	m.status.say("There is no command here to copy.")
	return nil
}

// isPlan reports whether the menu is one of the guard.
func (m *model) isPlan() bool { return m.panel.menu != nil && m.panel.menu.plan }

// clickMenu chooses what is clicked; a second click takes it, one beside the menu closes it.
func (m *model) clickMenu(x, y int) tea.Cmd {
	g := m.menuShape()
	upper := g.upper
	if !g.small {
		height, left := g.rows+menuFrame, (m.width-g.inner-2)/2
		if x < left || x >= left+g.inner+2 || y < upper || y >= upper+height {
			return m.closePanel()
		}
		upper += 2
	}
	line := y - upper + g.top
	for i, s := range g.items {
		if line >= s.from && line < s.to && y >= upper && y < upper+g.rows {
			if m.panel.clicked == i+1 {
				return m.takeItem()
			}
			m.panel.at, m.panel.clicked = i, i+1
		}
	}
	return nil
}

func shortID(id string) string {
	return transcript.CleanLine(id[:min(len(id), 8)])
}
