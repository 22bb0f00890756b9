package dialog

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	handWidth  = 100
	handCount  = 13 // column of the number of entries
	handText   = 16 // column of the texts
	handFile   = 22 // cells for the tick and the file name of a store
	handNarrow = 84 // narrower dialogs show the stores as letters
	handFrame  = 4  // the borders, a blank line, the keys
	handFoot   = 14 // below this height, the foot scrolls with the rows
)

// handShape is the layout of the dialog. The foot has the stores, the gates and the note.
type handShape struct {
	shape
	foot []*render.Line
	from int // index of the first selectable row in the foot
	at   []int
}

func (d *Handover) shape() handShape {
	g := handShape{shape: shape{inner: min(handWidth, d.f.Width-2) - 2}}
	room := max(d.f.Height-handFrame, 1)
	if g.small = d.f.Width < From || d.f.Height < 12; g.small {
		g.inner, room = d.f.Width, max(d.f.Height-1, 1)
		g.lines = append(g.lines, d.headLine("Handover", d.about()), d.line(g.inner))
	}
	if why := d.notYet(); why != "" {
		g.lines = append(g.lines, d.text(&g.shape, why)...)
	}
	blank := !g.small && d.f.Height >= 24
	var foot []*render.Line
	n := 0
	for i := range d.rows {
		r := &d.rows[i]
		chosen := r.part != partRefs && n == d.at
		if r.part == partStore {
			g.at = append(g.at, len(foot))
			foot = append(foot, d.storeLine(&g, r, chosen))
		} else {
			from := len(g.lines)
			d.row(&g, r, chosen)
			if r.part != partRefs {
				g.items = append(g.items, span{from, len(g.lines)})
			}
		}
		if r.part != partRefs {
			n++
		}
	}
	g.from = len(g.items)
	foot = append(foot, d.gateLines(&g)...)
	if blank {
		foot = append(foot, d.line(g.inner))
	}
	foot = append(foot, d.text(&g.shape, d.writes())...)
	if blank {
		foot = append(foot, d.line(g.inner))
	}
	rule := d.line(g.inner).Put(render.Rule, strings.Repeat("─", g.inner))
	if fixed := len(foot) + 1; !g.small && room-fixed >= min(len(g.lines), handFoot-fixed) && room > fixed {
		g.foot, room = append([]*render.Line{rule}, foot...), room-fixed
		for i := range g.at {
			g.at[i]++
		}
	} else {
		at := len(g.lines) + 1
		g.lines = append(append(g.lines, rule), foot...)
		for _, k := range g.at {
			g.items = append(g.items, span{at + k, at + k + 1})
		}
		g.at = nil
	}
	if blank && room > len(g.lines) {
		g.lines = append(g.lines, d.line(g.inner))
	}
	g.rows = min(len(g.lines), room)
	g.top = min(max(d.top, 0), len(g.lines)-g.rows)
	g.upper = max((d.f.Height-d.height(&g))/2, 0)
	return g
}

// height returns the number of lines of a dialog with a border.
func (d *Handover) height(g *handShape) int { return g.rows + len(g.foot) + handFrame }

func (d *Handover) about() string {
	if d.h != nil && d.h.Title != "" {
		return d.h.Title
	}
	return d.opts.About
}

// stopAt returns the index of the selectable row at row y of the terminal, or -1.
func (d *Handover) stopAt(g *handShape, y int) int {
	upper := g.upper + 2
	if g.small {
		upper = 0
	}
	y -= upper
	for i, s := range g.items {
		if line := y + g.top; y >= 0 && y < g.rows && line >= s.from && line < s.to {
			return i
		}
	}
	for i, k := range g.at {
		if y-g.rows == k {
			return g.from + i
		}
	}
	return -1
}

// row draws an entry. Only a text of the state is wrapped.
func (d *Handover) row(g *handShape, r *handRow, chosen bool) {
	end := g.inner - 2
	right := r.right
	if g.inner < handNarrow && r.brief != nil {
		right = r.brief
	}
	column := min(handText, g.inner/4)
	texts := []string{r.text}
	if r.part == partState {
		texts = render.Wrap(r.text, max(end-column, 1))
	}
	for n, text := range texts {
		l := d.choice(&g.shape, chosen)
		if n == 0 {
			d.label(g, l, r)
		}
		l.To(column)
		if r.glyph.Text != "" {
			l.Spans(r.glyph).Put(render.Text, " ")
		}
		stop := end
		if width := render.SpansWidth(right); width > 0 {
			stop -= width + 2
		}
		ink := r.ink
		if chosen && ink == render.Text {
			ink = render.Strong
		}
		for _, s := range codeSpans(ink, text) {
			l.PutUntil(s.Ink, s.Text, stop)
		}
		if n == 0 {
			l.Right(end, right...)
		}
		g.add(l, chosen)
	}
}

func (d *Handover) label(g *handShape, l *render.Line, r *handRow) {
	if r.label == "" {
		return
	}
	l.To(min(menuKey, g.inner/8)).Put(render.Bold, words.Cut(r.label, min(handText, g.inner/4)-min(menuKey, g.inner/8)-1))
	if r.count > 0 && g.inner/4 >= handText {
		l.To(handCount).Put(render.Muted, words.Count(r.count))
	}
}

func (d *Handover) storeLine(g *handShape, r *handRow, chosen bool) *render.Line {
	l := d.choice(&g.shape, chosen)
	d.label(g, l, r)
	s := &d.h.Stores[r.i]
	ink := render.Text
	switch {
	case s.Off != "":
		ink = render.Faint
	case !s.On:
		ink = render.Muted
	case chosen:
		ink = render.Strong
	}
	l.To(min(handText, g.inner/4)).Spans(r.glyph).Put(render.Text, " ").Put(ink, s.File)
	end := g.inner - 2 - render.SpansWidth(r.right) - 2
	l.To(max(l.At()+2, handText+handFile)).PutUntil(r.ink, r.text, end).Right(g.inner-2, r.right...)
	if chosen {
		l.To(g.inner)
	}
	return l
}

// gateLines draws a line for each gate, or the reason why the gates can't run.
func (d *Handover) gateLines(g *handShape) []*render.Line {
	var lines []*render.Line
	for i, it := range d.opts.Gates {
		l := d.line(g.inner)
		if i == 0 {
			d.label(g, l, &handRow{label: "Gate"})
		}
		l.To(min(handText, g.inner/4))
		if it.Off != "" {
			return append(lines, l.Put(render.Faint, "· off: "+it.Off))
		}
		glyph := render.Span{Ink: render.Faint, Text: "·"}
		if strings.HasPrefix(it.Last, passed) {
			glyph = render.Span{Ink: render.Good, Text: "✓"}
		}
		l.Spans(glyph).Put(render.Text, " ").Put(render.Text, it.Name)
		l.To(max(l.At()+2, handText+handFile))
		lines = append(lines, l.PutUntil(render.Muted, it.Note, g.inner-4-ansi.StringWidth(it.Last)).Right(g.inner-2, render.Span{Ink: render.Muted, Text: it.Last}))
	}
	return lines
}

// passed is the first word of Offer.Last if a gate has passed.
const passed = "passed"

// Fit implements screen.Screen. It keeps the bar in view.
func (d *Handover) Fit(f screen.Frame) []screen.Effect {
	resized := d.f.Width != f.Width || d.f.Height != f.Height
	d.f = f
	if resized {
		d.choose(d.at)
	}
	return nil
}

// Over implements screen.Dialog.
func (d *Handover) Over(under []string) {
	g := d.shape()
	lines := g.lines[g.top : g.top+g.rows]
	last := d.orMessage(d.keysLine(&g), g.inner)
	if g.small {
		d.cover(under, lines, last)
		return
	}
	drawn := append([]*render.Line{d.line(g.inner)}, lines...)
	drawn = append(drawn, g.foot...)
	d.floatAt(under, d.box(append(drawn, last), g.inner, "Handover", d.about()), g.inner+2, g.upper)
}

func (d *Handover) keysLine(g *handShape) *render.Line {
	k := newPanelKeys(&d.base, g.inner, "cancel")
	if len(g.lines) > g.rows {
		k.more(g.top+g.rows < len(g.lines))
	}
	if d.notYet() == "" {
		k.put("enter", "plan")
		k.put("e", "edit")
		k.put("a", "add")
		k.put("space", "tick")
	}
	put := func(it *Offer, key, word string) {
		if it.Off != "" {
			k.off(key, word)
			return
		}
		k.put(key, word)
	}
	switch gates := d.opts.Gates; {
	case len(gates) == 0:
	case g.inner < handNarrow:
		put(&gates[0], "g G", "gates")
	default:
		for i := range gates {
			put(&gates[i], gates[i].Key, strings.ToLower(gates[i].Name))
		}
	}
	switch it := &d.opts.Backup; {
	case it.Key == "":
	case g.inner < handNarrow:
		put(it, it.Key, "backup")
	default:
		put(it, it.Key, strings.ToLower(it.Name))
	}
	return k.end()
}
