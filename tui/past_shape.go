package tui

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
)

// pastShape is how the list is laid out on the screen with the bar on one of its actions. Its height is the same for
// each of them.
type pastShape struct {
	inner, rows int            // of the list
	top         int            // its first action that is seen
	small       bool           // it takes the whole screen
	lower       menuShape      // what is known of the action, and what of that is seen
	below       []*render.Line // that is seen, with the note
}

// pastShapes is what the layouts have in common: the heights of all actions ask for the first lines of each. It holds
// for one past, one screen and one theme.
type pastShapes struct {
	of            *PastAction // the first
	width, height int
	styles        *render.Styles

	inner, room int
	small       bool
	rows, lower int              // of the list, and of what is known of an action
	note        []string         // nil where there is no room for it
	heads       [][]*render.Line // what is known of each action, one line more than there is room for
	whole       []*render.Line   // and all of that of the one that was scrolled
	wholeAt     int
}

// pastLaid lays out what is the same for each action, when it is not yet.
func (m *model) pastLaid() *pastShapes {
	s, past := &m.changes.shapes, m.changes.past
	var first *PastAction
	if len(past) > 0 {
		first = &past[0]
	}
	if s.styles == m.styles && s.of == first && s.width == m.width && s.height == m.height {
		return s
	}
	*s = pastShapes{of: first, width: m.width, height: m.height, styles: m.styles, inner: min(pastWidth, m.width-2) - 2, room: m.height - pastFrame, wholeAt: -1}
	if s.small = m.width < panelFrom || m.height < 16; s.small {
		s.inner, s.room = m.width, m.height-4 // head, columns, a blank line, keys
	}
	most := 0
	for i := range past {
		s.heads = append(s.heads, m.pastLines(s, &past[i], max(s.room, 0)+1))
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

// pastLines draws what is known of an action.
func (m *model) pastLines(s *pastShapes, a *PastAction, most int) []*render.Line {
	head := []*render.Line{render.NewLine(m.styles, s.inner).To(s.indent()).Put(render.Heading, pastHeading(a))}
	if a.Back { // there is no more to say
		return head
	}
	return append(head, m.planLines(a.Parts, m.styles, s.indent(), s.inner-s.indent(), most)...)
}

// pastShape is the list with the bar on one of its actions.
func (m *model) pastShape(at int) pastShape {
	s := m.pastLaid()
	g := pastShape{inner: s.inner, rows: s.rows, small: s.small}
	g.top = min(max(at-g.rows/2, 0), max(len(m.changes.past)-g.rows, 0))
	g.lower.inner = s.inner
	if at >= len(s.heads) {
		return g
	}
	if g.lower.lines = s.heads[at]; s.wholeAt == at {
		g.lower.lines = s.whole
	}
	l := &g.lower
	l.rows = min(len(l.lines), s.lower)
	l.top = min(max(m.panel.top, 0), len(l.lines)-l.rows)
	line := func() *render.Line { return render.NewLine(m.styles, g.inner) }
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

// height is how many rows of the screen it takes.
func (g *pastShape) height() int {
	if len(g.below) == 0 {
		return g.rows + pastFrame - 3
	}
	return g.rows + len(g.below) + pastFrame
}

// pastUpper is the row of the screen that the upper edge is on.
func (m *model) pastUpper(g *pastShape) int { return max((m.height-g.height())/2, 0) }

// scrollPast scrolls what is known of the action, never past a line that was not seen.
func scrollPast(delta int) intent {
	return func(m *model) tea.Cmd {
		s, at := m.pastLaid(), m.panel.at
		if at < len(s.heads) && len(s.heads[at]) > s.lower && s.wholeAt != at {
			s.whole, s.wholeAt = m.pastLines(s, &m.changes.past[at], math.MaxInt), at
		}
		l := m.pastShape(at).lower
		m.see(&l)
		m.panel.top = min(max(l.top+min(max(delta, -l.rows), l.rows), 0), len(l.lines)-l.rows)
		return nil
	}
}

// pastAt puts the bar on an action; what is known of it stands at its beginning.
func (m *model) pastAt(at int) {
	if at = min(max(at, 0), max(len(m.changes.past)-1, 0)); at != m.panel.at {
		m.panel.at, m.panel.top, m.panel.seen = at, 0, nil
	}
}
