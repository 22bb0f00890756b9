package tui

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// lines are some lines of a menu.
type lines struct{ from, to int }

// menuShape is how a menu is laid out on a screen: what both the drawing and the mouse go by.
type menuShape struct {
	lines []*render.Line
	items []lines // lines of each item
	inner int     // cells between the borders
	rows  int     // lines that are seen at once
	top   int     // the first of them
	upper int     // row of the screen that its upper border is on
	small bool    // it takes the whole screen
}

// menuShape lays the menu out with the bar where it is. Its upper edge stays where it is when the bar moves to a choice
// about which there is less to say.
func (m *model) menuShape() menuShape {
	g := m.menuShapeAt(m.panel.at)
	rows := g.rows
	if g.small {
		return g
	}
	for i := range m.panel.menu.items {
		if it := &m.panel.menu.items[i]; it.copies != nil || it.below != "" || m.panel.menu.items[0].below != "" {
			rows = max(rows, m.menuShapeAt(i).rows)
		}
	}
	g.upper = max((m.height-rows-menuFrame)/2, 0)
	return g
}

func (m *model) menuShapeAt(at int) menuShape {
	g := menuShape{inner: min(menuWidth, m.width-2) - 2}
	room := max(m.height-menuFrame, 1)
	if g.small = m.width < panelFrom || m.height < 10; g.small {
		g.inner, room = m.width, max(m.height-1, 1)
		g.lines = append(g.lines, m.headLine(m.panel.menu.title, m.menuAbout()), m.menuLine(&g))
	}
	m.menuPoints(&g)
	for i := range m.panel.menu.items {
		if m.panel.menu.items[i].gap && !g.small && room >= 16 {
			g.lines = append(g.lines, m.menuLine(&g))
		}
		from := len(g.lines)
		m.menuItem(&g, &m.panel.menu.items[i], i == at)
		g.items = append(g.items, lines{from, len(g.lines)})
	}
	var note []*render.Line
	if text := m.menuNote(at); text != "" {
		note = append([]*render.Line{m.menuLine(&g)}, m.menuText(&g, text)...)
	}
	if at < len(g.items) && m.panel.menu.items[at].copies != nil {
		g.lines = append(g.lines, m.copyLines(&g, m.panel.menu.items[at].copies, room-len(g.lines)-len(note))...)
	}
	g.lines = append(g.lines, note...)
	g.rows = min(len(g.lines), room)
	g.top = min(max(m.panel.top, 0), len(g.lines)-g.rows)
	return g
}

// menuNote is what stands below the choices: of the one under the bar, else of the menu.
func (m *model) menuNote(at int) string {
	if mn := m.panel.menu; at >= len(mn.items) || mn.items[at].below == "" {
		return mn.note
	}
	return m.panel.menu.items[at].below
}

// menuText is a text of the menu beside its items.
func (m *model) menuText(g *menuShape, text string) []*render.Line {
	var drawn []*render.Line
	for _, s := range render.Wrap(text, max(g.inner-2*menuKey, 1)) {
		drawn = append(drawn, m.menuLine(g).To(min(menuKey, g.inner/8)).Put(render.Muted, s))
	}
	return drawn
}

// menuAbout is what the menu is about, or the choice under the bar.
func (m *model) menuAbout() string {
	mn := m.panel.menu
	if m.panel.at < len(mn.items) && mn.items[m.panel.at].about != "" {
		return mn.items[m.panel.at].about
	}
	return mn.about
}

func (m *model) menuLine(g *menuShape) *render.Line { return render.NewLine(m.styles, g.inner) }

// menuChoice begins a line of an item, with the bar where that is chosen.
func (m *model) menuChoice(g *menuShape, chosen bool) *render.Line {
	l := m.menuLine(g).Select(chosen)
	if chosen {
		l.Put(render.AccentBold, "▌")
	}
	return l
}

// add puts a line of an item below the others; what is chosen is marked over the whole width.
func (g *menuShape) add(l *render.Line, chosen bool) {
	if chosen {
		l.To(g.inner)
	}
	g.lines = append(g.lines, l)
}

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
	line := func() *render.Line { return m.menuChoice(g, chosen) }
	add := func(l *render.Line) { g.add(l, chosen) }
	words := it.note
	if it.off != "" {
		words = it.off
	}
	last := it.last
	if it.off != "" {
		last = ""
	}
	if room := g.inner - column - 4 - ansi.StringWidth(last); last != "" && (column == menuName || ansi.StringWidth(words) > room) {
		words, last = words+", "+lastWords(last), ""
	}
	l := line().To(menuKey).Put(key, it.key).To(menuName).Put(name, it.name)
	var wrapped []string
	if words != "" {
		wrapped = render.Wrap(transcript.CleanLine(words), max(g.inner-column-2, 1))
	}
	if column > menuName && len(wrapped) > 0 {
		l.To(column).Put(note, wrapped[0])
		wrapped = wrapped[1:]
	}
	add(l.Right(g.inner-2, render.Span{Ink: render.Faint, Text: last}))
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
	lines := g.lines[g.top : g.top+g.rows]
	last := m.orSaid(m.menuKeys(g.inner, &g), g.inner)
	if g.small {
		m.cover(screen, lines, last)
		return
	}
	drawn := append([]*render.Line{m.menuLine(&g)}, lines...)
	drawn = append(drawn, m.menuLine(&g), last)
	m.floatAt(screen, m.box(drawn, g.inner, m.panel.menu.title, m.menuAbout()), g.inner+2, g.upper)
}

// menuKeys is the last line: what enter does, the other letters, how to leave.
func (m *model) menuKeys(width int, g *menuShape) *render.Line {
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
		it := &mn.items[m.panel.at]
		if m.isShown(g) {
			put("enter", cmp.Or(it.verb, mn.verb))
		} else {
			put("enter", "show")
		}
		if it.run != "" || it.line != "" {
			put("y", "copy the command")
		}
	}
	if len(g.lines) > g.rows {
		more := "↑ ↓"
		if g.top+g.rows < len(g.lines) {
			more = "↓ …"
		}
		return l.Right(width-1, append([]render.Span{{Ink: render.Faint, Text: more + "  "}}, esc...)...)
	}
	return l.Right(width-1, esc...)
}

// lastWords say within a sentence when something was done last: never passed, last yesterday 11:17.
func lastWords(last string) string {
	if strings.Contains(last, "passed") {
		return last
	}
	for _, day := range []string{"Today", "Yesterday"} {
		if rest, ok := strings.CutPrefix(last, day); ok {
			last = strings.ToLower(day) + rest
		}
	}
	return "last " + last
}
