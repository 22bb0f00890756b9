package ledgerview

// move moves the bar by so many entries. Where the next one is not near, or there is none, the view goes on instead.
func (c *ledgerContent) move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for n := abs(delta); n > 0; n-- {
		if !c.step(step) {
			c.list.Scroll(step * n)
			return
		}
	}
}

// step moves the bar by one entry, or the view by a row within or towards one that is longer than the view. It reports
// whether there is an entry.
func (c *ledgerContent) step(step int) bool {
	if c.list.At < 0 {
		return false
	}
	from, to := c.list.Span(c.list.At)
	next := c.list.Next(c.list.At+step, step)
	hidden := step > 0 && to > c.look.rows || step < 0 && from < 0
	if hidden && to > 0 && from < c.look.rows || next < 0 || c.list.At+step < 0 {
		return false
	}
	nextFrom, nextTo := c.list.Span(next)
	if step > 0 && nextFrom >= c.look.rows+3 || step < 0 && nextTo <= -3 {
		return false
	}
	c.list.Choose(next)
	c.reveal()
	return true
}

// reveal scrolls as little as possible to show the bar.
func (c *ledgerContent) reveal() {
	if c.list.At < 0 {
		return
	}
	from, to := c.list.Span(c.list.At)
	if to-from >= c.look.rows {
		to = from + c.look.rows
	}
	height := c.Height
	switch {
	case c.list.Next(0, 1) == c.list.At && from < 0: // what stands over the first one is shown with it
		c.list.Win.Show(0, 0, len(c.blocks), c.look.rows, height)
		if _, to := c.list.Span(c.list.At); to > c.look.rows {
			c.list.Win.Show(c.list.At, 0, len(c.blocks), c.look.rows, height)
		}
	case from < 0:
		c.list.Win.Show(c.list.At, 0, len(c.blocks), c.look.rows, height)
	case to > c.look.rows:
		c.list.Win.Show(c.list.At, to-from-c.look.rows, len(c.blocks), c.look.rows, height)
	}
}

// toEnd goes to the first or the last of it.
func (c *ledgerContent) toEnd(step int) {
	height := c.Height
	at := c.list.Next(0, 1)
	if step > 0 {
		at = c.list.Next(len(c.blocks)-1, -1)
		c.list.Win.Show(max(len(c.blocks)-1, 0), 1<<20, len(c.blocks), c.look.rows, height)
	} else {
		c.list.Win.Show(0, 0, len(c.blocks), c.look.rows, height)
	}
	if at >= 0 {
		if from, to := c.list.Span(at); to > 0 && from < c.look.rows {
			c.list.Choose(at)
		}
	}
}
