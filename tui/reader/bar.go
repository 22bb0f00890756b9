package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render/talk"
)

// bar is the selected part of a message.
type bar struct {
	message int // index of the message
	// Index of the part in the drawing of the message; any index beyond the end, such as lastPart, selects the last
	// part.
	part int
}

const lastPart = 1 << 30

// goal is the target to scroll to as soon as the message of the target is drawn. The target is a part or a line of
// a message.
type goal struct {
	message int
	part    int
	block   int // block of the part; if found or ofBlock is set, it is used instead of part
	ofBlock bool
	row     int    // row of the screen on which the target should be
	found   bool   // the target is the first matching line of the part
	text    string // the target is the first line with this text
}

// y returns the row of the view at which a message starts. The row may be outside the view.
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

// part returns the part that a bar selects. If the message isn't drawn yet, part returns the whole message.
func (r *pane) part(b bar) talk.Part {
	if e := r.cache.messages[b.message]; e != nil && len(e.parts) > 0 {
		return e.parts[max(min(b.part, len(e.parts)-1), 0)]
	}
	return talk.Part{Block: -1, To: r.height(b.message)}
}

// isOpen reports whether the selected part is fully open. If so, enter folds the part.
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

// scroll scrolls the view. The bar stays inside the view.
func (r *pane) scroll(delta, rows int) {
	if len(r.refs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.goal = nil
	r.win.Scroll(delta, len(r.refs), rows, r.height)
	r.keepBar(at, rows)
}

// keepBar moves the bar only if the bar is outside the view. It then moves the bar to the part nearest to a row of
// the view.
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

// step selects the next part. While more rows of the current part are hidden, step scrolls by one row instead, so
// that no line is skipped.
func (r *pane) step(delta, rows int) {
	for ; delta > 0; delta-- {
		if _, to := r.barRows(); to > rows {
			r.scroll(1, rows)
		} else if !r.nextPart(1) {
			if r.scroll(1, rows); r.last == len(r.refs)-1 { // the bar is at the end again, so the view follows the end
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
		r.win.Pin = 0 // the bar isn't at the end any more, so the view stops following the end
		if from, _ := r.barRows(); from < 0 || !r.nextPart(-1) {
			r.scroll(-1, rows)
		} else if _, to := r.barRows(); to <= 0 {
			r.scroll(to-1, rows)
		}
	}
}

// nextPart selects the next (step 1) or previous (step -1) part. It returns false at the ends of the conversation.
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

// toLast goes to the end of the conversation. If the bar is already there, it goes to the end of the file.
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

// toEnd goes to the end of the main thread. The view then follows this end.
func (r *pane) toEnd(rows int) {
	if n := len(r.refs); n > 0 {
		r.goal, r.ahead = nil, aheadAtOnce
		r.win.EndAt(r.last, n, rows, r.height)
		r.bar = r.end()
	}
}

// toMessage scrolls until the first line of a message is at the top. It leaves out the blank line above the
// message.
func (r *pane) toMessage(i, rows int) {
	if i < 0 || i >= len(r.refs) {
		return
	}
	r.ahead = aheadAtOnce
	r.showMessage(i)
	r.win.Show(i, 0, len(r.refs), rows, r.height)
	r.bar = bar{i, 0}
	r.goal = &goal{message: i, block: noBlock}
	if r.known && i == r.horizon() {
		r.goal.row = rows / 3
	}
	r.reach(rows)
}

// noBlock is the block of a goal that is reached as soon as its message is drawn.
const noBlock = -3

// jump goes from the bar to the next (step 1) or previous (step -1) message in stops. It returns false if there is
// no such message.
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

// before returns the index of the last number below n in an ascending list. It returns -1 if there is no such
// number.
func before(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i - 1
}

// aim sets a goal, and places it in the upper third of the screen. If the message of the goal is far away, aim
// shows the message at once.
func (r *pane) aim(g goal, rows int) {
	g.row = min(rows/3, 8)
	r.goal, r.ahead = &g, aheadAtOnce
	if from := r.y(g.message); r.cache.messages[g.message] == nil || from < -rows || from > 2*rows {
		r.win.Show(g.message, 0, len(r.refs), rows, r.height)
	}
	r.win.Pin = 0
	r.reach(rows)
}

// reach scrolls to the goal if the message of the goal is drawn.
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
	// Show the message in one call, because the view can't scroll beyond the end.
	r.win.Show(g.message, p.From+line-g.row, len(r.refs), rows, r.height)
	if !e.waits(g.block) {
		r.goal = nil
	}
	r.keepBar(g.row, rows)
}
