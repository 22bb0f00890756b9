package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render/talk"
)

// bar is the selected part of a message.
type bar struct {
	message int // index
	part    int // index in its drawing; lastPart or any other index beyond the end selects the last part
}

const lastPart = 1 << 30

// goal is the target to scroll to as soon as its message is drawn: a part at a row of the screen, or a matching line.
type goal struct {
	message int
	part    int
	block   int // block of the part, used instead of part if found or ofBlock is set
	ofBlock bool
	row     int    // row of the screen for the target
	found   bool   // go to the first matching line of the part
	text    string // or to the first line with this text
}

// y returns the row of the view at which a message starts; it may be outside the view.
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

// part returns the part under a bar. If the message isn't drawn yet, that is the whole message.
func (r *pane) part(b bar) talk.Part {
	if e := r.cache.messages[b.message]; e != nil && len(e.parts) > 0 {
		return e.parts[max(min(b.part, len(e.parts)-1), 0)]
	}
	return talk.Part{Block: -1, To: r.height(b.message)}
}

// isOpen reports whether the selected part is open as far as it goes, so that enter folds it.
func (r *pane) isOpen() bool {
	if len(r.refs) == 0 {
		return false
	}
	p := r.part(r.bar)
	return p.Fold >= talk.Open && !p.More
}

// barRows returns the rows of the view that the bar covers.
func (r *pane) barRows() (from, to int) {
	if len(r.refs) == 0 {
		return 0, 0
	}
	y, p := r.y(r.bar.message), r.part(r.bar)
	return y + p.From, y + p.To
}

// scroll scrolls the view and keeps the bar inside it.
func (r *pane) scroll(delta, rows int) {
	if len(r.refs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.goal = nil
	r.win.Scroll(delta, len(r.refs), rows, r.height)
	r.keepBar(at, rows)
}

// keepBar moves the bar near a row of the view if the bar is outside the view.
func (r *pane) keepBar(row, rows int) {
	if from, to := r.barRows(); to > 0 && from < rows {
		return
	}
	r.barTo(min(max(row, 0), rows-1), rows)
}

// barTo moves the bar to the part nearest to a row of the view.
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

// resized adapts the view to a new height.
func (r *pane) resized(rows int) {
	if len(r.refs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.win.Fit(len(r.refs), rows, r.height)
	r.keepBar(at, rows)
}

// step selects the next part, or scrolls by a row while more of the current part is hidden, so that no line is skipped.
func (r *pane) step(delta, rows int) {
	for ; delta > 0; delta-- {
		if _, to := r.barRows(); to > rows {
			r.scroll(1, rows)
		} else if !r.nextPart(1) {
			if r.scroll(1, rows); r.last == len(r.refs)-1 { // the bar is at the end again, so follow it
				r.toEnd(rows)
			}
		} else if from, _ := r.barRows(); from >= rows {
			r.scroll(from-rows+1, rows)
		}
		if r.bar.message >= r.win.Pin { // the bar has passed the pinned end
			r.win.Pin = 0
		}
	}
	for ; delta < 0; delta++ {
		r.win.Pin = 0 // the bar has left the end, so the view stops following it
		if from, _ := r.barRows(); from < 0 || !r.nextPart(-1) {
			r.scroll(-1, rows)
		} else if _, to := r.barRows(); to <= 0 {
			r.scroll(to-1, rows)
		}
	}
}

// nextPart selects the next (1) or previous (-1) part. It returns false at the ends.
func (r *pane) nextPart(step int) bool {
	n := 1
	if e := r.cache.messages[r.bar.message]; e != nil {
		n = max(len(e.parts), 1)
	}
	switch at := min(r.bar.part, n-1) + step; {
	case at >= 0 && at < n:
		r.bar.part = at
	case step > 0 && r.shownAfter(r.bar.message) < len(r.refs):
		r.bar = bar{r.shownAfter(r.bar.message), 0}
	case step < 0 && r.shownBefore(r.bar.message) >= 0:
		r.bar = bar{r.shownBefore(r.bar.message), lastPart}
	default:
		return false
	}
	return true
}

// toFirst goes to the first message.
func (r *pane) toFirst(rows int) {
	if n := len(r.refs); n > 0 {
		r.goal, r.ahead = nil, aheadAtOnce
		r.win.Show(0, 0, n, rows, r.height)
		r.bar = bar{min(r.shownAfter(-1), n-1), 0}
	}
}

// toLast goes to the end of the conversation, and from there to the end of the file.
func (r *pane) toLast(rows int) {
	n := len(r.refs)
	if n == 0 {
		return
	}
	if r.shown > 0 || r.bar.message < r.last || r.bar.message == r.last && r.win.Pin == 0 || r.last == n-1 {
		r.toEnd(rows)
		return
	}
	r.goal, r.ahead = nil, aheadAtOnce
	r.win.EndAt(n-1, n, rows, r.height)
	r.bar = bar{n - 1, lastPart}
}

// toEnd goes to the end of the main thread and follows it.
func (r *pane) toEnd(rows int) {
	if n := len(r.refs); n > 0 {
		r.goal, r.ahead = nil, aheadAtOnce
		r.win.EndAt(r.last, n, rows, r.height)
		r.bar = r.end()
	}
}

// toMessage scrolls the first line of a message to the top, without the blank line above it.
func (r *pane) toMessage(i, rows int) {
	if i < 0 || i >= len(r.refs) {
		return
	}
	r.ahead = aheadAtOnce
	r.showMessage(i)
	r.win.Show(i, 0, len(r.refs), rows, r.height)
	r.bar = bar{i, 0}
	r.goal = &goal{message: i, block: noBlock}
	r.reach(rows)
}

// noBlock is the block of a goal that only needs its message to be drawn.
const noBlock = -3

// jump goes to the next (1) or previous (-1) message in stops, starting from the bar. It returns false if there is no
// such message.
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

// before returns the index of the last number less than n in an ascending list, -1 if there is none.
func before(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i - 1
}

// aim sets the goal in the upper third of the screen. It shows the message at once if it is far away.
func (r *pane) aim(g goal, rows int) {
	g.row = min(rows/3, 8)
	r.goal, r.ahead = &g, aheadAtOnce
	if from := r.y(g.message); r.cache.messages[g.message] == nil || from < -rows || from > 2*rows {
		r.win.Show(g.message, 0, len(r.refs), rows, r.height)
	}
	r.win.Pin = 0
	r.reach(rows)
}

// reach scrolls to the goal if its message is drawn.
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
	if g.ofBlock {
		g.part = e.partOf(g.block)
	}
	if g.text != "" {
		line = e.lineWith(r.part(bar{g.message, g.part}), g.text)
	}
	r.bar = bar{g.message, g.part}
	p := r.part(r.bar)
	// In one call, because the view can't scroll beyond the end.
	r.win.Show(g.message, p.From+line-g.row, len(r.refs), rows, r.height)
	if !e.waits(g.block) {
		r.goal = nil
	}
	r.keepBar(g.row, rows)
}
