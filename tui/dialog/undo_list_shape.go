package dialog

import (
	"math"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// pastShape is the layout while an action is selected. The height is the same for all actions.
type pastShape struct {
	inner, rows int            // width and height of the list, in cells
	small       bool           // the list covers the whole screen
	lower       shape          // the preview and its visible lines
	below       []*render.Line // visible lines of the preview, and then the note
}

// pastShapes caches the layout that is the same for all actions. It is valid for one list, one size and one theme.
type pastShapes struct {
	of            *screen.PastAction // first action of the list
	width, height int
	styles        *render.Styles

	inner, room int
	small       bool
	rows, lower int              // number of rows in the list and in the preview
	note        []string         // nil if there is no room for the note
	heads       [][]*render.Line // start of each preview, one line longer than the room
	whole       []*render.Line   // whole preview of action wholeAt, after scrolling
	wholeAt     int
}

// laid returns the layout that is the same for all actions.
func (d *UndoList) laid() *pastShapes {
	s, past := &d.shapes, d.known.Actions
	var first *screen.PastAction
	if len(past) > 0 {
		first = &past[0]
	}
	if s.styles == d.f.Styles && s.of == first && s.width == d.f.Width && s.height == d.f.Height {
		return s
	}
	*s = pastShapes{of: first, width: d.f.Width, height: d.f.Height, styles: d.f.Styles, inner: min(pastWidth, d.f.Width-2) - 2, room: d.f.Height - pastFrame, wholeAt: -1}
	if s.small = d.f.Width < From || d.f.Height < 16; s.small {
		s.inner, s.room = d.f.Width, d.f.Height-4 // without the head, the columns, a blank line and the keys
	}
	most := 0
	for i := range past {
		s.heads = append(s.heads, d.linesOf(s, &past[i], max(s.room, 0)+1))
		most = max(most, len(s.heads[i]))
	}
	all := len(past)
	s.rows = max(min(all, s.room-most), min(all, max(pastLeast, s.room/3)), 0)
	s.lower = max(min(most, s.room-s.rows), 0)
	if note := render.Wrap(pastNote, s.inner-2*s.indent()); all > 0 && s.rows+s.lower+1+len(note) <= s.room {
		s.note = note
	}
	return s
}

func (s *pastShapes) indent() int { return min(menuKey, s.inner/8) }

// linesOf draws at most most lines of an action's preview.
func (d *UndoList) linesOf(s *pastShapes, a *screen.PastAction, most int) []*render.Line {
	head := []*render.Line{d.line(s.inner).To(s.indent()).Put(render.Heading, pastHeading(a))}
	if a.Back { // an undone action has no preview
		return head
	}
	return append(head, d.draw(a.Parts, d.f.Styles, s.indent(), s.inner-s.indent(), most)...)
}

// shape returns the layout for the selected action.
func (d *UndoList) shape() pastShape {
	s, at := d.laid(), d.list.At
	g := pastShape{inner: s.inner, rows: s.rows, small: s.small}
	d.list.Rows = g.rows
	d.list.Center()
	g.lower.inner = s.inner
	if at >= len(s.heads) {
		return g
	}
	if g.lower.lines = s.heads[at]; s.wholeAt == at {
		g.lower.lines = s.whole
	}
	l := &g.lower
	l.rows = min(len(l.lines), s.lower)
	l.top = min(max(d.top, 0), len(l.lines)-l.rows)
	line := func() *render.Line { return d.line(g.inner) }
	g.below = append(g.below, l.lines[l.top:l.top+l.rows]...)
	for len(g.below) < s.lower {
		g.below = append(g.below, line())
	}
	if len(s.note) > 0 {
		g.below = append(g.below, line())
		for _, text := range s.note {
			g.below = append(g.below, line().To(s.indent()).Put(render.Muted, text))
		}
	}
	return g
}

// height returns the number of rows of the dialog.
func (g *pastShape) height() int {
	if len(g.below) == 0 {
		return g.rows + pastFrame - 3
	}
	return g.rows + len(g.below) + pastFrame
}

// upper returns the row of the upper edge.
func (d *UndoList) upper(g *pastShape) int { return max((d.f.Height-g.height())/2, 0) }

func (d *UndoList) scroll(delta int) {
	s, at := d.laid(), d.list.At
	if at < len(s.heads) && len(s.heads[at]) > s.lower && s.wholeAt != at {
		s.whole, s.wholeAt = d.linesOf(s, &d.known.Actions[at], math.MaxInt), at
	}
	l := d.shape().lower
	d.seen.see(&l)
	d.top = l.scrolled(delta)
}

// to selects an action and shows the start of its preview.
func (d *UndoList) to(at int) {
	if at = min(max(at, 0), max(len(d.known.Actions)-1, 0)); at != d.list.At {
		d.list.At, d.top, d.seen = at, 0, seen{}
	}
}
