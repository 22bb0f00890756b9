package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
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
	verb         string // of enter; "" the name of the item
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
	run  string // the command that it comes to
	off  string // why it cannot be chosen
	do   intent
}

const (
	menuWidth = 80
	menuKey   = 3 // column of the letter
	menuName  = 6
)

// openMenu puts a menu on the screen, with the bar on its first item that can be chosen.
func (m *model) openMenu(mn *menu) tea.Cmd {
	m.panel = panel{kind: menuPanel, menu: mn}
	for i := range mn.items {
		if mn.items[i].off == "" {
			m.panel.at = i
			break
		}
	}
	return nil
}

// inMenuBy moves the bar, and scrolls as far as it takes to see it.
func inMenuBy(delta int) intent {
	return func(m *model) tea.Cmd {
		p := &m.panel
		p.at = min(max(p.at+delta, 0), max(len(p.menu.items)-1, 0))
		m.showItem()
		return nil
	}
}

// scrollMenu scrolls what has no room.
func scrollMenu(delta int) intent {
	return func(m *model) tea.Cmd {
		g := m.menuShape()
		m.panel.top = min(max(m.panel.top+delta, 0), max(len(g.lines)-g.rows, 0))
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
	m.panel = panel{}
	return it.do(m)
}

// pick is a letter that is typed in a menu.
func (m *model) pick(letter string) tea.Cmd {
	for i := range m.panel.menu.items {
		if m.panel.menu.items[i].key == letter {
			m.panel.at = i
			return m.takeItem()
		}
	}
	return nil
}

// showItem scrolls to the item under the bar, and reports whether it was in sight before.
func (m *model) showItem() bool {
	p, g := &m.panel, m.menuShape()
	if len(g.lines) <= g.rows || len(g.items) == 0 {
		return true
	}
	was := p.top
	s := g.items[p.at]
	p.top = min(max(p.top, s.to-g.rows), s.from)
	return p.top == was
}

// copyRun copies the command of the item under the bar.
func (m *model) copyRun() tea.Cmd {
	p := &m.panel
	if p.at >= len(p.menu.items) || p.menu.items[p.at].run == "" {
		m.status.say("There is no command here to copy.")
		return nil
	}
	run := strings.Replace(p.menu.items[p.at].run, p.menu.id[:min(8, len(p.menu.id))], p.menu.id, 1)
	return m.copyText("the command", run)
}

// lines are some lines of a menu.
type lines struct{ from, to int }

// menuShape is how a menu is laid out on a screen: what both the drawing and the mouse go by.
type menuShape struct {
	lines []*render.Line
	items []lines // lines of each item
	inner int     // cells between the borders
	rows  int     // lines that are seen at once
	small bool    // it takes the whole screen
}

func (m *model) menuShape() menuShape {
	g := menuShape{inner: min(menuWidth, m.width-2) - 2}
	if g.small = m.width < panelFrom || m.height < 10; g.small {
		g.inner = m.width
	}
	m.menuPoints(&g)
	for i := range m.panel.menu.items {
		from := len(g.lines)
		m.menuItem(&g, &m.panel.menu.items[i], i == m.panel.at)
		g.items = append(g.items, lines{from, len(g.lines)})
	}
	if note := m.panel.menu.note; note != "" {
		g.lines = append(g.lines, m.menuLine(&g))
		for _, s := range render.Wrap(note, max(g.inner-2*menuKey, 1)) {
			g.lines = append(g.lines, m.menuLine(&g).To(min(menuKey, g.inner/8)).Put(render.Muted, s))
		}
	}
	g.rows = len(g.lines)
	if over := m.height - 1; g.small && g.rows > over {
		g.rows = max(over, 1)
	} else if over := m.height - 5; !g.small && g.rows > over { // borders, a blank line each side, keys
		g.rows = max(over, 1)
	}
	return g
}

func (m *model) menuLine(g *menuShape) *render.Line { return render.NewLine(m.styles, g.inner) }

func (m *model) menuPoints(g *menuShape) {
	indent := min(menuKey, g.inner/8)
	for i := range m.panel.menu.points {
		pt := &m.panel.menu.points[i]
		width := max(g.inner-indent-5, 1)
		for n, s := range render.Wrap(transcript.CleanLine(pt.what), width) {
			l := m.menuLine(g).To(indent)
			if n == 0 {
				l.Spans(pt.glyph)
			}
			g.lines = append(g.lines, l.To(indent+2).Put(render.Strong, s))
		}
		for _, s := range render.Wrap(transcript.CleanLine(pt.detail), width) {
			g.lines = append(g.lines, m.menuLine(g).To(indent+2).Put(render.Muted, s))
		}
		g.lines = append(g.lines, m.menuLine(g))
	}
}

// menuItem adds the lines of an item: letter, name and note, below them the command.
func (m *model) menuItem(g *menuShape, it *offer, chosen bool) {
	key, name, note := render.Strong, render.Bold, render.Text
	if it.off != "" {
		key, name, note = render.Faint, render.Faint, render.Faint
	} else if chosen {
		name = render.Strong
	}
	column := 0
	for i := range m.panel.menu.items {
		column = max(column, len(m.panel.menu.items[i].name))
	}
	if column += menuName + 2; g.inner-column < 28 {
		column = menuName
	}
	line := func() *render.Line {
		l := m.menuLine(g).Select(chosen)
		if chosen {
			l.Put(render.AccentBold, "▌")
		}
		return l
	}
	add := func(l *render.Line) {
		if chosen {
			l.To(g.inner)
		}
		g.lines = append(g.lines, l)
	}
	words := it.note
	if it.off != "" {
		words = it.off
	}
	l := line().To(menuKey).Put(key, it.key).To(menuName).Put(name, it.name)
	wrapped := render.Wrap(transcript.CleanLine(words), max(g.inner-column-2, 1))
	if column > menuName && len(wrapped) > 0 {
		l.To(column).Put(note, wrapped[0])
		wrapped = wrapped[1:]
	}
	add(l)
	for _, s := range wrapped {
		add(line().To(column).Put(note, s))
	}
	if it.run != "" && it.off == "" {
		for _, s := range render.Wrap(transcript.CleanLine(it.run), max(g.inner-column-2, 1)) {
			add(line().To(column).Put(render.Muted, s))
		}
	}
}

// drawMenu puts a menu over the screen.
func (m *model) drawMenu(screen []string) {
	g := m.menuShape()
	top := min(m.panel.top, max(len(g.lines)-g.rows, 0))
	lines := g.lines[top : top+g.rows]
	if g.small {
		m.cover(screen, lines, m.menuKeys(m.width, top, &g))
		return
	}
	drawn := append([]*render.Line{m.menuLine(&g)}, lines...)
	drawn = append(drawn, m.menuLine(&g), m.menuKeys(g.inner, top, &g))
	m.float(screen, m.box(drawn, g.inner, m.panel.menu.title, m.panel.menu.about), g.inner+2)
}

// menuKeys is the last line: what enter does, the other letters, how to leave.
func (m *model) menuKeys(width, top int, g *menuShape) *render.Line {
	mn := m.panel.menu
	l := render.NewLine(m.styles, width).To(min(menuKey, width/8))
	esc := []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " cancel"}}
	if len(mn.items) == 0 {
		esc[1].Text = " close"
	}
	end := width - 2 - render.SpansWidth(esc)
	if len(g.lines) > g.rows {
		end -= 5
	}
	put := func(key, word string) {
		gap := ""
		if l.At() > menuKey {
			gap = "   "
		}
		if l.At()+len(gap)+len(key)+1+len(word)+2 <= end {
			l.Put(render.Text, gap).Put(render.Strong, key).Put(render.Muted, " "+word)
		}
	}
	if m.panel.at < len(mn.items) && mn.items[m.panel.at].off == "" {
		put("enter", cmp.Or(mn.verb, strings.ToLower(mn.items[m.panel.at].name)))
	}
	if m.panel.at < len(mn.items) && mn.items[m.panel.at].run != "" {
		put("y", "copy the command")
	}
	if len(g.lines) > g.rows {
		more := "↑ ↓"
		if top+g.rows < len(g.lines) {
			more = "↓ …"
		}
		return l.Right(width-1, append([]render.Span{{Ink: render.Faint, Text: more + "  "}}, esc...)...)
	}
	return l.Right(width-1, esc...)
}

// clickMenu chooses what is clicked; a second click takes it, one beside the menu closes it.
func (m *model) clickMenu(x, y int) tea.Cmd {
	g := m.menuShape()
	upper := 0
	if !g.small {
		height, left := g.rows+5, (m.width-g.inner-2)/2
		upper = max((m.height-height)/2, 0)
		if x < left || x >= left+g.inner+2 || y < upper || y >= upper+height {
			return m.closePanel()
		}
		upper += 2
	}
	line := y - upper + min(m.panel.top, max(len(g.lines)-g.rows, 0))
	for i, s := range g.items {
		if line >= s.from && line < s.to && y >= upper && y < upper+g.rows {
			if m.panel.at == i {
				return m.takeItem()
			}
			m.panel.at = i
		}
	}
	return nil
}

// planMenu is the plan of the guard as a menu.
func (m *model) planMenu(row sessions.Row, plan *sessions.ResumePlan) *menu {
	mn := &menu{title: plan.Title, about: shortID(plan.ID), id: plan.ID, note: "Nothing has run yet."}
	for _, f := range plan.Findings {
		pt := point{glyph: render.Span{Ink: render.Warn, Text: "△"}, what: f.What, detail: f.Detail}
		switch {
		case f.Kind == sessions.FindingLive:
			pt.glyph = render.Span{Ink: render.Good, Text: "●"}
		case len(plan.Choices) == 0:
			pt.glyph = render.Span{Ink: render.Bad, Text: "✗"}
		}
		mn.points = append(mn.points, pt)
	}
	if len(plan.Choices) > 0 && plan.Choices[0].Ask.Folder != "" {
		mn.note += " It would start in " + render.Folder(plan.Choices[0].Ask.Folder, m.opts.Home) + "."
	}
	for _, c := range plan.Choices {
		it := offer{key: c.Key, name: c.Name, note: c.Note, run: c.Run, off: c.Off}
		it.do = func(m *model) tea.Cmd { return m.goOn(row, c.Ask) }
		if c.Path {
			it.do = func(m *model) tea.Cmd { return m.nameFolder(row, c.Ask) }
		}
		mn.items = append(mn.items, it)
	}
	return mn
}

func shortID(id string) string {
	return transcript.CleanLine(id[:min(len(id), 8)])
}

// hasRun reports whether the chosen item of a menu comes to a command.
func (m *model) hasRun() bool {
	mn := m.panel.menu
	return mn != nil && m.panel.at < len(mn.items) && mn.items[m.panel.at].run != ""
}
