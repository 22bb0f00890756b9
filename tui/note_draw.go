package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// noteText is the column of the fields.
const noteText = 16

// noteShape is how the form is laid out on the screen.
type noteShape struct {
	menuShape
	text    int // column of what is typed
	x, y    int // of the cursor, among the lines
	hasText bool
}

func (m *model) noteShape() noteShape {
	f := m.panel.note
	g := noteShape{menuShape: menuShape{inner: min(planWidth, m.width-2) - 2}}
	room := max(m.height-menuFrame, 1)
	head := 0
	_, name, _ := noteWords(f.kind)
	if g.small = m.width < panelFrom || m.height < 12; g.small {
		g.inner, room = m.width, max(m.height-1, 1)
		if m.height >= 5 {
			g.lines = append(g.lines, m.headLine(name, render.Base(f.dir)))
			head = 1
		}
	}
	g.text = min(noteText, g.inner/3)
	for i := range f.fields {
		from := len(g.lines)
		m.noteField(&g, i)
		g.items = append(g.items, lines{from, len(g.lines)})
	}
	if f.bead != nil {
		from := len(g.lines)
		m.noteBead(&g)
		g.items = append(g.items, lines{from, len(g.lines)})
	}
	g.rows = min(len(g.lines), room)
	s := g.items[min(f.at, len(g.items)-1)]
	if f.at == 0 {
		s.from -= head
	}
	g.top = min(max(s.to-g.rows, 0), max(s.from, 0))
	g.upper = max((m.height-g.rows-menuFrame)/2, 0)
	return g
}

// noteField adds the lines of a field: its name, what was typed, and what is wrong with that.
func (m *model) noteField(g *noteShape, i int) {
	f := m.panel.note
	n, chosen := &f.fields[i], f.at == i
	room := max(g.inner-g.text-2, 1)
	name := render.Muted
	if chosen {
		name = render.Strong
	}
	line := func() *render.Line { return m.menuChoice(&g.menuShape, chosen) }
	add := func(l *render.Line) { g.add(l, chosen) }
	label := n.name
	put := func(ink render.Ink, text string) *render.Line {
		l := line().To(min(menuKey, g.inner/8)).PutUntil(name, label, g.text-1).To(g.text).PutUntil(ink, text, g.inner-1)
		label = ""
		return l
	}
	switch {
	case n.choices != nil:
		l := put(render.Text, n.text)
		if chosen {
			l.Right(g.inner-2, render.Span{Ink: render.Faint, Text: "  ← → another"})
		}
		add(l)
	case n.text == "":
		add(put(render.Faint, n.hint))
		if chosen {
			g.x, g.y, g.hasText = g.text, len(g.lines)-1, true
		}
	default:
		typed := strings.Split(n.text, "\n")
		for _, s := range typed {
			rows := render.Wrap(s, room)
			for _, row := range rows {
				add(put(render.Text, row))
			}
			if len(rows) == 0 {
				add(put(render.Text, ""))
			}
		}
		if chosen {
			end := typed[len(typed)-1]
			g.x, g.y, g.hasText = g.text+len(end)-len(strings.TrimRight(end, " ")), len(g.lines)-1, true
			if rows := render.Wrap(end, room); len(rows) > 0 {
				g.x += ansi.StringWidth(rows[len(rows)-1])
			}
		}
	}
	glyph := "✗ "
	for _, s := range render.Wrap(transcript.CleanLine(n.wrong), max(room-2, 1)) {
		if n.wrong == "" {
			break
		}
		add(line().To(g.text).Put(render.Bad, glyph).Put(render.Text, s))
		glyph = "  "
	}
}

// noteBead adds the line of the bead that is worked on.
func (m *model) noteBead(g *noteShape) {
	f := m.panel.note
	chosen := f.at == len(f.fields)
	l := m.menuChoice(&g.menuShape, chosen)
	name := render.Muted
	if chosen {
		name = render.Strong
	}
	mark, ink, flips := "· ", render.Faint, "  space adds it"
	if f.toBead {
		mark, ink, flips = "✓ ", render.Text, "  space leaves it out"
	}
	l.To(min(menuKey, g.inner/8)).PutUntil(name, "Also to", g.text-1).To(g.text)
	l.PutUntil(ink, mark+"bead "+transcript.CleanLine(f.bead.ID)+"  "+transcript.CleanLine(f.bead.Title), g.inner-1)
	if chosen {
		l.Right(g.inner-2, render.Span{Ink: render.Faint, Text: flips})
	}
	g.add(l, chosen)
}

// noteCursor is where something is typed.
func (m *model) noteCursor() (x, y int, ok bool) {
	g := m.noteShape()
	y = g.y - g.top
	if !g.hasText || y < 0 || y >= g.rows {
		return 0, 0, false
	}
	x = min(g.x, max(g.inner-1, 0))
	if g.small {
		return x, y, true
	}
	return x + (m.width-g.inner)/2, g.upper + 2 + y, true
}

// drawNote puts the form over the screen.
func (m *model) drawNote(screen []string) {
	f, g := m.panel.note, m.noteShape()
	shown := g.lines[g.top : g.top+g.rows]
	_, name, _ := noteWords(f.kind)
	if g.small {
		for len(shown) < m.height-1 {
			shown = append(shown[:len(shown):len(shown)], m.menuLine(&g.menuShape))
		}
		shown, last := m.orSaidOver(shown, m.noteKeys(&g), g.inner)
		m.cover(screen, shown, last)
		return
	}
	drawn := append([]*render.Line{m.menuLine(&g.menuShape)}, shown...)
	drawn, last := m.orSaidOver(append(drawn, m.menuLine(&g.menuShape)), m.noteKeys(&g), g.inner)
	drawn = append(drawn, last)
	m.floatAt(screen, m.box(drawn, g.inner, name, render.Base(f.dir)), g.inner+2, g.upper)
}

// noteKeys is the last line of the form.
func (m *model) noteKeys(g *noteShape) *render.Line {
	f := m.panel.note
	k := newPanelKeys(m, g.inner, "cancel")
	if len(g.lines) > g.rows {
		k.more(g.top+g.rows < len(g.lines))
	}
	if f.at < f.last() {
		k.put("enter", "next field")
	} else {
		k.put("enter", "show the plan")
	}
	if n := f.field(); n != nil && n.many {
		k.put("ctrl+j", "another one")
	}
	return k.end()
}

// clickNote puts the bar on the field that is clicked. A click beside the form closes it only while it is empty.
func (m *model) clickNote(x, y int) tea.Cmd {
	f, g := m.panel.note, m.noteShape()
	upper := 0
	if !g.small {
		if !box((m.width-g.inner-2)/2, g.upper, g.inner+2, g.rows+menuFrame).Has(x, y) {
			return m.leaveNote()
		}
		upper = g.upper + 2
	}
	if y < upper || y >= upper+g.rows {
		return nil
	}
	for i, s := range g.items {
		if line := y - upper + g.top; line >= s.from && line < s.to {
			f.at, f.leaving = i, false
		}
	}
	return nil
}
