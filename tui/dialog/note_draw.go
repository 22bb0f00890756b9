package dialog

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// noteText is the column at which the text of fields starts.
const noteText = 16

// noteShape is the layout of the form.
type noteShape struct {
	shape
	text    int // the column of the text
	x, y    int // position of the cursor in lines
	hasText bool
}

func (d *Note) shape() noteShape {
	g := noteShape{shape: shape{inner: min(planWidth, d.f.Width-2) - 2}}
	room := max(d.f.Height-menuFrame, 1)
	head := 0
	_, name, _ := NoteWords(d.opts.Kind)
	if g.small = d.f.Width < From || d.f.Height < 12; g.small {
		g.inner, room = d.f.Width, max(d.f.Height-1, 1)
		if d.f.Height >= 5 {
			g.lines = append(g.lines, d.headLine(name, render.Base(d.opts.Dir)))
			head = 1
		}
	}
	g.text = min(noteText, g.inner/3)
	for i := range d.fields {
		from := len(g.lines)
		d.fieldLines(&g, i)
		g.items = append(g.items, span{from, len(g.lines)})
	}
	if d.bead != nil {
		from := len(g.lines)
		d.beadLine(&g)
		g.items = append(g.items, span{from, len(g.lines)})
	}
	g.rows = min(len(g.lines), room)
	s := g.items[min(d.at, len(g.items)-1)]
	if d.at == 0 {
		s.from -= head
	}
	g.top = min(max(s.to-g.rows, 0), max(s.from, 0))
	g.upper = max((d.f.Height-g.rows-menuFrame)/2, 0)
	return g
}

func (d *Note) fieldLines(g *noteShape, i int) {
	n, chosen := &d.fields[i], d.at == i
	room := max(g.inner-g.text-2, 1)
	name := render.Muted
	if chosen {
		name = render.Strong
	}
	line := func() *render.Line { return d.choice(&g.shape, chosen) }
	add := func(l *render.Line) { g.add(l, chosen) }
	label := n.name
	put := func(ink render.Ink, text string) *render.Line {
		l := line().To(min(menuKey, g.inner/8)).PutUntil(name, label, g.text-1).To(g.text).PutUntil(ink, text, g.inner-1)
		label = ""
		return l
	}
	switch {
	case n.choices != nil:
		l := put(render.Text, n.chosen)
		if chosen {
			l.Right(g.inner-2, render.Span{Ink: render.Faint, Text: "  ← → another"})
		}
		add(l)
	case n.text() == "":
		add(put(render.Faint, n.hint))
		if chosen {
			g.x, g.y, g.hasText = g.text, len(g.lines)-1, true
		}
	default:
		at, before := 0, n.line.Before()
		if n.many {
			at, before = n.lines.Cursor()
		}
		for k, s := range strings.Split(n.text(), "\n") {
			rows := render.Wrap(s, room)
			if len(rows) == 0 {
				rows = []string{""}
			}
			if chosen && k == at {
				x, y := inRows(s, rows, len(before))
				g.x, g.y, g.hasText = g.text+x, len(g.lines)+y, true
			}
			for _, row := range rows {
				add(put(render.Text, row))
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

func (d *Note) beadLine(g *noteShape) {
	chosen := d.at == len(d.fields)
	l := d.choice(&g.shape, chosen)
	name := render.Muted
	if chosen {
		name = render.Strong
	}
	mark, ink, flips := "· ", render.Faint, "  space adds it"
	if d.toBead {
		mark, ink, flips = "✓ ", render.Text, "  space leaves it out"
	}
	l.To(min(menuKey, g.inner/8)).PutUntil(name, "Also to", g.text-1).To(g.text)
	l.PutUntil(ink, mark+"bead "+transcript.CleanLine(d.bead.ID)+"  "+transcript.CleanLine(d.bead.Title), g.inner-1)
	if chosen {
		l.Right(g.inner-2, render.Span{Ink: render.Faint, Text: flips})
	}
	g.add(l, chosen)
}

// Cursor implements screen.Dialog.
func (d *Note) Cursor() (x, y int, ok bool) {
	g := d.shape()
	y = g.y - g.top
	if !g.hasText || y < 0 || y >= g.rows {
		return 0, 0, false
	}
	x = min(g.x, max(g.inner-1, 0))
	if g.small {
		return x, y, true
	}
	return x + (d.f.Width-g.inner)/2, g.upper + 2 + y, true
}

// Over implements screen.Dialog.
func (d *Note) Over(under []string) {
	g := d.shape()
	shown := g.lines[g.top : g.top+g.rows]
	_, name, _ := NoteWords(d.opts.Kind)
	if g.small {
		for len(shown) < d.f.Height-1 {
			shown = append(shown[:len(shown):len(shown)], d.line(g.inner))
		}
		shown, last := d.orLongMessage(shown, d.keysLine(&g), g.inner)
		d.cover(under, shown, last)
		return
	}
	drawn := append([]*render.Line{d.line(g.inner)}, shown...)
	drawn, last := d.orLongMessage(append(drawn, d.line(g.inner)), d.keysLine(&g), g.inner)
	drawn = append(drawn, last)
	d.floatAt(under, d.box(drawn, g.inner, name, render.Base(d.opts.Dir)), g.inner+2, g.upper)
}

// keysLine draws the last line of the form.
func (d *Note) keysLine(g *noteShape) *render.Line {
	k := newPanelKeys(&d.base, g.inner, "cancel")
	if len(g.lines) > g.rows {
		k.more(g.top+g.rows < len(g.lines))
	}
	if d.at < d.last() {
		k.put("enter", "next field")
	} else {
		k.put("enter", "show the plan")
	}
	if n := d.field(); n != nil && n.many {
		k.put("ctrl+j", "new line")
	}
	return k.end()
}

// Click implements screen.Screen. A click selects a field. A click outside closes an empty form.
func (d *Note) Click(x, y int) []screen.Effect {
	g := d.shape()
	upper := 0
	if !g.small {
		if !rect((d.f.Width-g.inner-2)/2, g.upper, g.inner+2, g.rows+menuFrame).Has(x, y) {
			return d.leave()
		}
		upper = g.upper + 2
	}
	if y < upper || y >= upper+g.rows {
		return nil
	}
	for i, s := range g.items {
		if line := y - upper + g.top; line >= s.from && line < s.to {
			d.at, d.leaving = i, false
		}
	}
	return nil
}

// inRows converts a byte offset in a text to a position in the wrapped rows. Blanks between two rows belong to the
// upper row.
func inRows(text string, rows []string, place int) (x, y int) {
	from := 0
	for i, row := range rows {
		from += max(strings.Index(text[from:], row), 0)
		to := from + len(row)
		if i == len(rows)-1 || place < to+len(text[to:])-len(strings.TrimLeft(text[to:], " ")) || place == to && text[to:] != "" && text[to] != ' ' {
			return ansi.StringWidth(text[min(from, place):place]), i
		}
		from = to
	}
	return 0, 0
}
