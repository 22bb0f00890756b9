package reader

import (
	"github.com/continuo-tui/continuo/tui/reader/outline"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// bar is the selected part of a message.
type bar struct {
	message int // index of the message
	// index of the part in the message; an index beyond the end, such as lastPart, selects the last part
	part int
}

const lastPart = 1 << 30

// cursor is the selected part, and the scrolling that keeps this part visible.
type cursor struct {
	out   *outline.Outline
	folds *outline.Folds
	view  *viewport

	bar      bar
	goal     *goal // where to scroll when the message is drawn, or nil
	foldedAt int   // row of the view on which a part was last opened
	reveal   bool  // a part was opened; unveil is called when it is drawn
}

// isOpen reports whether enter folds the selected part.
func (c *cursor) isOpen() bool {
	if len(c.out.Refs) == 0 {
		return false
	}
	p := c.view.part(c.bar)
	return p.Fold >= talk.Open && !p.More
}

// barRows returns the rows of the view that the bar covers.
func (c *cursor) barRows() (from, to int) {
	if len(c.out.Refs) == 0 {
		return 0, 0
	}
	y, p := c.view.y(c.bar.message), c.view.part(c.bar)
	return y + p.From, y + p.To
}

// scroll scrolls the view, and keeps the bar in the view.
func (c *cursor) scroll(delta, rows int) {
	if len(c.out.Refs) == 0 {
		return
	}
	at, _ := c.barRows()
	c.goal = nil
	c.view.scroll(delta, rows)
	c.keepBar(at, rows)
}

// keepBar moves the bar into the view, to the part nearest to a row.
func (c *cursor) keepBar(row, rows int) {
	if from, to := c.barRows(); to > 0 && from < rows {
		return
	}
	c.barTo(min(max(row, 0), rows-1), rows)
}

// barTo moves the bar to the part nearest to a row of the view.
func (c *cursor) barTo(row, rows int) {
	nearest := 1 << 30
	for _, s := range c.view.visible(rows) {
		y := c.view.y(s.Item)
		n := 1
		if e := c.view.cache.messages[s.Item]; e != nil {
			n = len(e.parts)
		}
		for i := range n {
			p := c.view.part(bar{s.Item, i})
			from, to := y+p.From, y+p.To
			if to <= 0 || from >= rows {
				continue
			}
			if d := max(from-row, row-(to-1), 0); d < nearest {
				nearest, c.bar = d, bar{s.Item, i}
			}
		}
	}
}

// resized adapts the view to a new height.
func (c *cursor) resized(rows int) {
	if len(c.out.Refs) == 0 {
		return
	}
	at, _ := c.barRows()
	c.view.fit(rows)
	c.keepBar(at, rows)
}

// step selects the next part, or the previous part if delta is negative. A part that continues outside the view is
// scrolled by one row, so that the user sees every line.
func (c *cursor) step(delta, rows int) {
	for ; delta > 0; delta-- {
		if _, to := c.barRows(); to > rows {
			c.scroll(1, rows)
		} else if !c.nextPart(1) {
			if c.scroll(1, rows); c.out.Last == len(c.out.Refs)-1 { // at the end again, so the view follows the end
				c.toEnd(rows)
			}
		} else if from, _ := c.barRows(); from >= rows {
			c.scroll(from-rows+1, rows)
		}
		if c.bar.message >= c.view.win.Pin { // the bar has passed the pinned end
			c.view.win.Pin = 0
		}
	}
	for ; delta < 0; delta++ {
		c.view.win.Pin = 0 // not at the end, so the view stops following the end
		if from, _ := c.barRows(); from < 0 || !c.nextPart(-1) {
			c.scroll(-1, rows)
		} else if _, to := c.barRows(); to <= 0 {
			c.scroll(to-1, rows)
		}
	}
}

// nextPart selects the next (1) or previous (-1) part. It returns false at the ends of the conversation.
func (c *cursor) nextPart(step int) bool {
	n := 1
	if e := c.view.cache.messages[c.bar.message]; e != nil {
		n = max(len(e.parts), 1)
	}
	switch at := min(c.bar.part, n-1) + step; {
	case at >= 0 && at < n:
		c.bar.part = at
	case step > 0 && c.folds.ShownAfter(c.bar.message) < len(c.out.Refs):
		c.bar = bar{c.folds.ShownAfter(c.bar.message), 0}
	case step < 0 && c.folds.ShownBefore(c.bar.message) >= 0:
		c.bar = bar{c.folds.ShownBefore(c.bar.message), lastPart}
	default:
		return false
	}
	return true
}

// end returns the position of the bar at the end of the main thread.
func (c *cursor) end() bar { return bar{c.folds.End(), lastPart} }

// toFirst goes to the first message.
func (c *cursor) toFirst(rows int) {
	if n := len(c.out.Refs); n > 0 {
		c.goal, c.view.ahead = nil, aheadAtOnce
		c.view.show(0, 0, rows)
		c.bar = bar{min(c.folds.ShownAfter(-1), n-1), 0}
	}
}

// toLast goes to the end of the main thread or, from there, to the end of the file.
func (c *cursor) toLast(rows int) {
	n := len(c.out.Refs)
	if n == 0 {
		return
	}
	if c.out.Shown > 0 || c.bar.message < c.out.Last || c.bar.message == c.out.Last && c.view.win.Pin == 0 || c.out.Last == n-1 {
		c.toEnd(rows)
		return
	}
	c.goal, c.view.ahead = nil, aheadAtOnce
	c.view.endAt(n-1, rows)
	c.bar = bar{n - 1, lastPart}
}

// toEnd goes to the end of the main thread. The view follows this end.
func (c *cursor) toEnd(rows int) {
	if n := len(c.out.Refs); n > 0 {
		c.goal, c.view.ahead = nil, aheadAtOnce
		c.view.endAt(c.out.Last, rows)
		c.bar = c.end()
	}
}

// toMessage scrolls the first line of a message to the top of the view.
func (c *cursor) toMessage(i, rows int) {
	if i < 0 || i >= len(c.out.Refs) {
		return
	}
	c.view.ahead = aheadAtOnce
	c.showMessage(i)
	c.view.show(i, 0, rows)
	c.bar = bar{i, 0}
	c.goal = &goal{message: i, block: noBlock}
	if c.view.known && i == c.out.Horizon() {
		c.goal.row = rows / 3
	}
	c.reach(rows)
}

// jump goes to the next (1) or previous (-1) message in stops. It returns false without such a message.
func (c *cursor) jump(stops []int, step, rows int) bool {
	var i int
	if step > 0 {
		i = outline.Before(stops, c.bar.message+1) + 1
	} else {
		i = outline.Before(stops, c.bar.message)
	}
	if i < 0 || i >= len(stops) {
		return false
	}
	c.toMessage(stops[i], rows)
	return true
}
