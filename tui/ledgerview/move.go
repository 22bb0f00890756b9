package ledgerview

// span is where a block stands in the view: its first row and the one behind its last. It is only asked for what is near.
func (c *ledgerContent) span(i int) (from, to int) {
	from = -c.win.Off
	for k := c.win.Top; k < i && from < 2*c.look.rows; k++ {
		from += c.height(k)
	}
	for k := c.win.Top - 1; k >= i && from > -2*c.look.rows; k-- {
		from -= c.height(k)
	}
	return from, from + c.height(i)
}

// scroll moves the view; the bar goes with it only as far as it has to.
func (c *ledgerContent) scroll(delta int) {
	c.win.Scroll(delta, len(c.blocks), c.look.rows, c.heights())
	if c.at < 0 {
		return
	}
	if from, to := c.span(c.at); to > 0 && from < c.look.rows {
		return
	}
	spans := c.win.Visible(len(c.blocks), c.look.rows, c.heights())
	best := -1
	for _, s := range spans {
		if c.blocks[s.Item].isEntry() && (best < 0 || delta < 0) {
			best = s.Item
		}
	}
	if best >= 0 {
		c.choose(best)
	}
}

// choose puts the bar on a block.
func (c *ledgerContent) choose(i int) {
	c.at, c.sel, c.touched = i, c.blocks[i].key, true
}

// move moves the bar by so many entries. Where the next one is not near, or there is none, the view goes on instead.
func (c *ledgerContent) move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for n := abs(delta); n > 0; n-- {
		if !c.step(step) {
			c.scroll(step * n)
			return
		}
	}
}

// step moves the bar by one entry, or the view by a row within or towards one that is longer than the view. It reports
// whether there is an entry.
func (c *ledgerContent) step(step int) bool {
	if c.at < 0 {
		return false
	}
	from, to := c.span(c.at)
	next := c.entryFrom(c.at+step, step)
	hidden := step > 0 && to > c.look.rows || step < 0 && from < 0
	if hidden && to > 0 && from < c.look.rows || next < 0 || c.at+step < 0 {
		return false
	}
	nextFrom, nextTo := c.span(next)
	if step > 0 && nextFrom >= c.look.rows+3 || step < 0 && nextTo <= -3 {
		return false
	}
	c.choose(next)
	c.reveal()
	return true
}

// reveal scrolls as little as possible to show the bar.
func (c *ledgerContent) reveal() {
	if c.at < 0 {
		return
	}
	from, to := c.span(c.at)
	if to-from >= c.look.rows {
		to = from + c.look.rows
	}
	height := c.heights()
	switch {
	case c.entryFrom(0, 1) == c.at && from < 0: // what stands over the first one is shown with it
		c.win.Show(0, 0, len(c.blocks), c.look.rows, height)
		if _, to := c.span(c.at); to > c.look.rows {
			c.win.Show(c.at, 0, len(c.blocks), c.look.rows, height)
		}
	case from < 0:
		c.win.Show(c.at, 0, len(c.blocks), c.look.rows, height)
	case to > c.look.rows:
		c.win.Show(c.at, to-from-c.look.rows, len(c.blocks), c.look.rows, height)
	}
}

// toEnd goes to the first or the last of it.
func (c *ledgerContent) toEnd(step int) {
	height := c.heights()
	at := c.entryFrom(0, 1)
	if step > 0 {
		at = c.entryFrom(len(c.blocks)-1, -1)
		c.win.Show(max(len(c.blocks)-1, 0), 1<<20, len(c.blocks), c.look.rows, height)
	} else {
		c.win.Show(0, 0, len(c.blocks), c.look.rows, height)
	}
	if at >= 0 {
		if from, to := c.span(at); to > 0 && from < c.look.rows {
			c.choose(at)
		}
	}
}

// isSeen reports whether the bar is in the view.
func (c *ledgerContent) isSeen() bool {
	if c.at < 0 {
		return false
	}
	from, to := c.span(c.at)
	return to > 0 && from < c.look.rows
}

// blockAt is the block at a row of the view, -1 none.
func (c *ledgerContent) blockAt(y int) int {
	for _, s := range c.win.Visible(len(c.blocks), c.look.rows, c.heights()) {
		if n := s.To - s.From; y < n {
			return s.Item
		}
		y -= s.To - s.From
	}
	return -1
}
