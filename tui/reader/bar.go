package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render/talk"
)

// bar is where keys act in a conversation: one part of one message.
type bar struct {
	message int // index
	part    int // of its drawing; lastPart and any other beyond the end is the last one
}

const lastPart = 1 << 30

// goal is where the view goes once that message is drawn: the part at a row of the screen, or the row that
// something was found in.
type goal struct {
	message int
	part    int
	block   int    // of the part, in the place of part, when found is set
	row     int    // of the screen
	found   bool   // go to the first line of the part that matches
	text    string // or to the one that has this
}

// y is the row of the view that a message begins at; it may lie outside.
func (r *pane) y(i int) int {
	y := -r.win.Off
	for k := r.win.Top; k < i; k++ {
		y += r.height(k)
	}
	for k := i; k < r.win.Top; k++ {
		y -= r.height(k)
	}
	return y
}

// part is the part that a bar stands on; one that is not drawn yet is the whole of its message.
func (r *pane) part(b bar) talk.Part {
	if e := r.cache.messages[b.message]; e != nil && len(e.parts) > 0 {
		return e.parts[max(min(b.part, len(e.parts)-1), 0)]
	}
	return talk.Part{Block: -1, To: r.height(b.message)}
}

// barRows are the rows of the view that the bar covers.
func (r *pane) barRows() (from, to int) {
	if len(r.refs) == 0 {
		return 0, 0
	}
	y, p := r.y(r.bar.message), r.part(r.bar)
	return y + p.From, y + p.To
}

// scroll moves the view and takes the bar along when it would be left outside.
func (r *pane) scroll(delta, rows int) {
	if len(r.refs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.goal = nil
	r.win.Scroll(delta, len(r.refs), rows, r.height)
	r.keepBar(at, rows)
}

// keepBar puts the bar near a row of the view when it is not in it.
func (r *pane) keepBar(row, rows int) {
	if from, to := r.barRows(); to > 0 && from < rows {
		return
	}
	r.barTo(min(max(row, 0), rows-1), rows)
}

// barTo puts the bar on the part that is nearest to a row of the view.
func (r *pane) barTo(row, rows int) {
	nearest := 1 << 30
	for _, s := range r.win.Visible(len(r.refs), rows, r.height) {
		y := r.y(s.Item)
		n := 1
		if e := r.cache.messages[s.Item]; e != nil {
			n = len(e.parts)
		}
		for i := range n {
			p := r.part(bar{s.Item, i})
			from, to := y+p.From, y+p.To
			if to <= 0 || from >= rows {
				continue
			}
			if d := max(from-row, row-(to-1), 0); d < nearest {
				nearest, r.bar = d, bar{s.Item, i}
			}
		}
	}
}

// resized fits the view to another height.
func (r *pane) resized(rows int) {
	if len(r.refs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.win.Fit(len(r.refs), rows, r.height)
	r.keepBar(at, rows)
}

// step goes to the next part, or scrolls by a row while there is more of this one to be seen: so that no line is
// jumped over.
func (r *pane) step(delta, rows int) {
	for ; delta > 0; delta-- {
		if _, to := r.barRows(); to > rows {
			r.scroll(1, rows)
		} else if !r.nextPart(1) {
			if r.scroll(1, rows); r.last == len(r.refs)-1 { // back at the end: it stays there
				r.toEnd(rows)
			}
		} else if from, _ := r.barRows(); from >= rows {
			r.scroll(from-rows+1, rows)
		}
		if r.bar.message >= r.win.Pin { // the bar has passed the end that the view keeps in sight
			r.win.Pin = 0
		}
	}
	for ; delta < 0; delta++ {
		r.win.Pin = 0 // the bar has left the end, so the view does not go along with it
		if from, _ := r.barRows(); from < 0 || !r.nextPart(-1) {
			r.scroll(-1, rows)
		} else if _, to := r.barRows(); to <= 0 {
			r.scroll(to-1, rows)
		}
	}
}

// nextPart moves the bar to the part after (1) or before (-1) it; false at the ends.
func (r *pane) nextPart(step int) bool {
	n := 1
	if e := r.cache.messages[r.bar.message]; e != nil {
		n = max(len(e.parts), 1)
	}
	switch at := min(r.bar.part, n-1) + step; {
	case at >= 0 && at < n:
		r.bar.part = at
	case step > 0 && r.bar.message < len(r.refs)-1:
		r.bar = bar{r.bar.message + 1, 0}
	case step < 0 && r.bar.message > 0:
		r.bar = bar{r.bar.message - 1, lastPart}
	default:
		return false
	}
	return true
}

// toFirst and toLast go to the ends.
func (r *pane) toFirst(rows int) {
	if n := len(r.refs); n > 0 {
		r.goal, r.ahead = nil, aheadAtOnce
		r.win.Show(0, 0, n, rows, r.height)
		r.bar = bar{0, 0}
	}
}

// toLast goes to the end of the conversation, and from there to the end of what else is in the file.
func (r *pane) toLast(rows int) {
	n := len(r.refs)
	if n == 0 {
		return
	}
	if r.bar.message < r.last || r.bar.message == r.last && r.win.Pin == 0 || r.last == n-1 {
		r.toEnd(rows)
		return
	}
	r.goal, r.ahead = nil, aheadAtOnce
	r.win.EndAt(n-1, n, rows, r.height)
	r.bar = bar{n - 1, lastPart}
}

// toEnd goes to the end of the main thread and stays there while it grows.
func (r *pane) toEnd(rows int) {
	if n := len(r.refs); n > 0 {
		r.goal, r.ahead = nil, aheadAtOnce
		r.win.EndAt(r.last, n, rows, r.height)
		r.bar = bar{r.last, lastPart}
	}
}

// toMessage puts the first line of a message at the upper edge, without the blank one before it.
func (r *pane) toMessage(i, rows int) {
	if i < 0 || i >= len(r.refs) {
		return
	}
	r.ahead = aheadAtOnce
	r.win.Show(i, 0, len(r.refs), rows, r.height)
	r.bar = bar{i, 0}
	r.goal = &goal{message: i, block: noBlock}
	r.reach(rows)
}

// noBlock is the block of a goal that is reached as soon as its message is drawn.
const noBlock = -3

// jump goes to the next (1) or the previous (-1) of some messages, seen from the bar; false when there is none.
func (r *pane) jump(stops []int, step, rows int) bool {
	var i int
	if step > 0 {
		i = before(stops, r.bar.message+1) + 1
	} else {
		i = before(stops, r.bar.message)
	}
	if i < 0 || i >= len(stops) {
		return false
	}
	r.toMessage(stops[i], rows)
	return true
}

// before is the index of the last of some ascending numbers that is less than n; -1 when there is none.
func before(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i - 1
}

// reach brings the view to the goal as soon as its message is drawn.
func (r *pane) reach(rows int) {
	g := r.goal
	if g == nil || g.message >= len(r.refs) {
		return
	}
	e := r.cache.messages[g.message]
	if e == nil || e.stale {
		return
	}
	line := 0
	if g.found {
		if r.openFor(found{g.message, g.block}, e); e.stale {
			return
		}
		g.part = e.partOf(g.block)
		line = r.find.line(e, e.parts[g.part])
	}
	if g.text != "" {
		line = e.lineWith(r.part(bar{g.message, g.part}), g.text)
	}
	r.bar = bar{g.message, g.part}
	p := r.part(r.bar)
	r.win.Show(g.message, p.From+line, len(r.refs), rows, r.height)
	r.win.Scroll(-g.row, len(r.refs), rows, r.height)
	if !e.waits(g.block) {
		r.goal = nil
	}
	r.keepBar(g.row, rows)
}
