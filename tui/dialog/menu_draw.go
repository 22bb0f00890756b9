package dialog

import (
	"cmp"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// shape returns the layout of the menu. The upper edge is the same for every selected item.
func (d *Menu) shape() shape {
	g := d.shapeAt(d.at)
	rows := g.rows
	if g.small {
		return g
	}
	for i := range d.Items {
		if d.Items[i].Copies != nil {
			rows = max(rows, d.shapeAt(i).rows)
		}
	}
	g.upper = max((d.f.Height-rows-menuFrame)/2, 0)
	return g
}

func (d *Menu) shapeAt(at int) shape {
	g := shape{inner: min(menuWidth, d.f.Width-2) - 2}
	room := max(d.f.Height-menuFrame, 1)
	if g.small = d.f.Width < From || d.f.Height < 10; g.small {
		g.inner, room = d.f.Width, max(d.f.Height-1, 1)
		g.lines = append(g.lines, d.headLine(d.Title, d.about()), d.line(g.inner))
	}
	d.points(&g)
	for i := range d.Items {
		if d.Items[i].Gap && !g.small && room >= 16 {
			g.lines = append(g.lines, d.line(g.inner))
		}
		from := len(g.lines)
		d.item(&g, &d.Items[i], i == at)
		g.items = append(g.items, span{from, len(g.lines)})
	}
	var note []*render.Line
	if text := d.Note; text != "" {
		note = append([]*render.Line{d.line(g.inner)}, d.text(&g, text)...)
	}
	if at < len(g.items) && d.Items[at].Copies != nil {
		g.lines = append(g.lines, d.copyLines(&g, d.Items[at].Copies, room-len(g.lines)-len(note))...)
	}
	g.lines = append(g.lines, note...)
	g.rows = min(len(g.lines), room)
	g.top = min(max(d.top, 0), len(g.lines)-g.rows)
	return g
}

// about returns the subject of the selected item, or of the menu.
func (d *Menu) about() string {
	mn := d
	if d.at < len(mn.Items) && mn.Items[d.at].About != "" {
		return mn.Items[d.at].About
	}
	return mn.About
}

func (d *Menu) points(g *shape) {
	indent := min(menuKey, g.inner/8)
	for i := range d.Points {
		pt := &d.Points[i]
		width := max(g.inner-indent-5, 1)
		for n, s := range render.Wrap(transcript.CleanLine(pt.What), width) {
			l := d.line(g.inner).To(indent)
			if n == 0 {
				l.Spans(pt.Glyph)
			}
			g.lines = append(g.lines, l.To(indent+2).Put(render.Strong, s))
		}
		for _, s := range render.Wrap(transcript.CleanLine(pt.Detail), width) {
			g.lines = append(g.lines, d.line(g.inner).To(indent+2).Put(render.Muted, s))
		}
		g.lines = append(g.lines, d.line(g.inner))
	}
}

func (d *Menu) item(g *shape, it *Offer, chosen bool) {
	key, name, note := render.Strong, render.Bold, render.Text
	if it.Off != "" {
		key, name, note = render.Faint, render.Faint, render.Faint
	} else if chosen {
		name = render.Strong
	}
	column := 0
	for i := range d.Items {
		column = max(column, len(d.Items[i].Name))
	}
	if column += menuName + 2; g.inner-column < 28 {
		column = menuName
	}
	line := func() *render.Line { return d.choice(g, chosen) }
	add := func(l *render.Line) { g.add(l, chosen) }
	words := it.Note
	if it.Off != "" {
		words = it.Off
	}
	l := line().To(menuKey).Put(key, it.Key).To(menuName).Put(name, it.Name)
	var wrapped []string
	if words != "" {
		wrapped = render.Wrap(transcript.CleanLine(words), max(g.inner-column-2, 1))
	}
	if column > menuName && len(wrapped) > 0 {
		l.To(column).Put(note, wrapped[0])
		wrapped = wrapped[1:]
	}
	add(l)
	for _, s := range wrapped {
		add(line().To(column).Put(note, s))
	}
	if it.Run != "" && it.Off == "" {
		for _, s := range render.Wrap(transcript.CleanLine(it.Run), max(g.inner-column-2, 1)) {
			add(line().To(column).Put(render.Muted, s))
		}
	}
}

// Over implements screen.Dialog.
func (d *Menu) Over(under []string) {
	g := d.shape()
	lines := g.lines[g.top : g.top+g.rows]
	last := d.orMessage(d.keysLine(g.inner, &g), g.inner)
	if g.small {
		d.cover(under, lines, last)
		return
	}
	drawn := append([]*render.Line{d.line(g.inner)}, lines...)
	drawn = append(drawn, d.line(g.inner), last)
	d.floatAt(under, d.box(drawn, g.inner, d.Title, d.about()), g.inner+2, g.upper)
}

func (d *Menu) keysLine(width int, g *shape) *render.Line {
	mn := d
	l := render.NewLine(d.f.Styles, width).To(min(menuKey, width/8))
	esc := []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " cancel"}}
	if len(mn.Items) == 0 {
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
	if d.at < len(mn.Items) && mn.Items[d.at].Off == "" {
		it := &mn.Items[d.at]
		if d.isShown(g) {
			put("enter", cmp.Or(it.Verb, mn.Verb))
		} else {
			put("enter", "show")
		}
		if it.Run != "" || it.Line != "" {
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
