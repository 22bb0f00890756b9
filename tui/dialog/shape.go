package dialog

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render"
)

// span is a range of the lines of a dialog.
type span struct{ from, to int }

// shape is the layout of a dialog, for drawing it and for finding the clicked item.
type shape struct {
	lines []*render.Line
	items []span // the lines of each item
	inner int    // cells between the borders
	rows  int    // number of visible lines
	top   int    // index of the first visible line
	upper int    // the row with the upper border
	small bool   // the dialog covers the whole screen
}

// scrolled returns the first visible line after scrolling by delta lines. No line is skipped.
func (g *shape) scrolled(delta int) int {
	return min(max(g.top+min(max(delta, -g.rows), g.rows), 0), len(g.lines)-g.rows)
}

// add appends a line of an item. A selected line has its full width.
func (g *shape) add(l *render.Line, chosen bool) {
	if chosen {
		l.To(g.inner)
	}
	g.lines = append(g.lines, l)
}

// seen records which lines were visible at one width. A plan can be confirmed after all its lines were visible.
type seen struct {
	lines []bool
	inner int
}

// see records the visible lines.
func (s *seen) see(g *shape) { s.lines, s.inner = s.with(g), g.inner }

// with reports, for each line, whether it was or is visible. A new width discards the record.
func (s *seen) with(g *shape) []bool {
	lines := make([]bool, len(g.lines))
	if len(s.lines) == len(lines) && s.inner == g.inner {
		copy(lines, s.lines)
	}
	for i := range g.rows {
		lines[g.top+i] = true
	}
	return lines
}

// all reports whether all lines were visible at the current width.
func (s *seen) all(g *shape) bool { return !slices.Contains(s.with(g), false) }

func (d *base) text(g *shape, text string) []*render.Line {
	var drawn []*render.Line
	for _, s := range render.Wrap(text, max(g.inner-2*menuKey, 1)) {
		drawn = append(drawn, d.line(g.inner).To(min(menuKey, g.inner/8)).Put(render.Muted, s))
	}
	return drawn
}

// choice starts a line of an item. A selected line starts with the bar.
func (d *base) choice(g *shape, chosen bool) *render.Line {
	l := d.line(g.inner).Select(chosen)
	if chosen {
		l.Put(render.AccentBold, "▌")
	}
	return l
}
