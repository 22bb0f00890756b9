package dialog

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render"
)

// span are some lines of a dialog.
type span struct{ from, to int }

// shape is how a dialog is laid out on a screen: what both the drawing and the mouse go by.
type shape struct {
	lines []*render.Line
	items []span // lines of each item
	inner int    // cells between the borders
	rows  int    // lines that are seen at once
	top   int    // the first of them
	upper int    // row of the screen that its upper border is on
	small bool   // it takes the whole screen
}

// scrolled is the first line that is seen when it is scrolled, never past a line that was not seen.
func (g *shape) scrolled(delta int) int {
	return min(max(g.top+min(max(delta, -g.rows), g.rows), 0), len(g.lines)-g.rows)
}

// add puts a line of an item below the others; what is chosen is marked over the whole width.
func (g *shape) add(l *render.Line, chosen bool) {
	if chosen {
		l.To(g.inner)
	}
	g.lines = append(g.lines, l)
}

// seen are the lines of a dialog that have been on the screen, at a width: nothing is done that one has not seen.
type seen struct {
	lines []bool
	inner int
}

// see remembers the lines that are on the screen now.
func (s *seen) see(g *shape) { s.lines, s.inner = s.with(g), g.inner }

// with are those that have been, and that are now. One that is laid out anew has not been seen before.
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

// all reports whether all of it has been on the screen, at the width that it has now.
func (s *seen) all(g *shape) bool { return !slices.Contains(s.with(g), false) }

// text is a text of a dialog beside its items.
func (d *base) text(g *shape, text string) []*render.Line {
	var drawn []*render.Line
	for _, s := range render.Wrap(text, max(g.inner-2*menuKey, 1)) {
		drawn = append(drawn, d.line(g.inner).To(min(menuKey, g.inner/8)).Put(render.Muted, s))
	}
	return drawn
}

// choice begins a line of an item, with the bar where that is chosen.
func (d *base) choice(g *shape, chosen bool) *render.Line {
	l := d.line(g.inner).Select(chosen)
	if chosen {
		l.Put(render.AccentBold, "▌")
	}
	return l
}
