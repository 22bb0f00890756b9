package facts

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/screen"
)

// group is a list with rows that can be selected.
type group int

const (
	files group = iota + 1
	failures
)

// spot identifies a row that can be selected.
type spot struct {
	group group
	name  string // file, or text of the failed call
	more  bool   // the row "… 3 more"
	at    stats.Place
	x, y  int // position of its first cell on the page
}

// same reports whether two spots identify the same row, at any position.
func (s spot) same(o spot) bool { return s.group == o.group && s.name == o.name && s.more == o.more }

// settle updates the position of the bar after a drawing. Without its row, the bar moves to the first row.
func (p *Page) settle() {
	i := slices.IndexFunc(p.spots, p.bar.same)
	switch {
	case i >= 0:
		p.bar = p.spots[i]
	case len(p.spots) > 0:
		p.bar = p.spots[0]
	default:
		p.bar = spot{}
	}
}

// move moves the bar by delta rows. If the next row isn't visible, it scrolls by a line, so that users can read between
// rows.
func (p *Page) move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for ; delta != 0; delta -= step {
		next := slices.IndexFunc(p.spots, p.bar.same) + step
		if next >= 0 && next < len(p.spots) && p.isSeen(p.bar) && p.isSeen(p.spots[next]) {
			p.bar = p.spots[next]
			continue
		}
		p.scroll(step)
	}
}

func (p *Page) isSeen(s spot) bool { return s.y >= p.top && s.y < p.top+p.frame.Layout.Body.H }

// scroll moves the view by lines. The bar stays in the view.
func (p *Page) scroll(delta int) {
	p.top = min(max(p.top+delta, 0), max(len(p.lines)-p.frame.Layout.Body.H, 0))
	if p.isSeen(p.bar) {
		return
	}
	seen := slices.DeleteFunc(slices.Clone(p.spots), func(s spot) bool { return !p.isSeen(s) })
	if len(seen) == 0 {
		return
	}
	far := func(s spot) int { return max(s.y-p.bar.y, p.bar.y-s.y) }
	p.bar = slices.MinFunc(seen, func(a, b spot) int { return far(a) - far(b) })
}

// rowOf returns the row of a transcript of the lists, or of a sub-agent.
func (p *Page) rowOf(path string) (sessions.Row, bool) {
	if row, ok := ofRow(&p.opts.Row, path); ok {
		return row, true
	}
	if p.opts.Rows != nil {
		for r := range p.opts.Rows {
			if row, ok := ofRow(r, path); ok {
				return row, true
			}
		}
	}
	return sessions.Row{}, false
}

func ofRow(row *sessions.Row, path string) (sessions.Row, bool) {
	switch {
	case path == "":
		return sessions.Row{}, false
	case row.Path == path:
		return *row, true
	case slices.Contains(row.Agents, path):
		return screen.AgentRow(row, path, ""), true
	}
	return sessions.Row{}, false
}
