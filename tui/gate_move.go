package tui

// rows is how many rows there are for the blocks.
func (p *gatePage) rows() int { return max(p.look.rows-p.footRows(), 1) }

// footRows is how many rows the verdict takes, with the rule over it where there is room.
func (p *gatePage) footRows() int {
	switch {
	case p.look.rows < 4:
		return 0
	case p.look.rows < footFrom:
		return len(p.foot)
	}
	return len(p.foot) + 1
}

// stopFrom is the first block from i on that the bar can stand on, -1 none.
func (p *gatePage) stopFrom(i, step int) int {
	for ; i >= 0 && i < len(p.blocks); i += step {
		if p.blocks[i].isStop() {
			return i
		}
	}
	return -1
}

// span is where a block stands in the view: its first row and the one behind its last. It is only asked for what is near.
func (p *gatePage) span(i int) (from, to int) {
	rows := p.rows()
	from = -p.win.off
	for k := p.win.top; k < i && from < 2*rows; k++ {
		from += p.height(k)
	}
	for k := p.win.top - 1; k >= i && from > -2*rows; k-- {
		from -= p.height(k)
	}
	return from, from + p.height(i)
}

// move moves the bar by so many steps and findings; within one that is longer than the view, and behind the last, the
// view.
func (p *gatePage) move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for n := abs(delta); n > 0 && p.sat >= 0; n-- {
		from, to := p.span(p.sat)
		next := p.stopFrom(p.sat+step, step)
		if next < 0 || step > 0 && to > p.rows() && to-from > p.rows() || step < 0 && from < 0 && to-from > p.rows() {
			p.scroll(step * n)
			return
		}
		p.choose(next)
		p.reveal()
	}
}

// reveal scrolls as little as possible to show the bar.
func (p *gatePage) reveal() {
	if p.sat < 0 {
		return
	}
	n, rows, height := len(p.blocks), p.rows(), p.heights()
	from, to := p.span(p.sat)
	if to-from >= rows {
		to = from + rows
	}
	switch {
	case from < 0:
		p.win.show(p.sat, 0, n, rows, height)
	case to > rows:
		p.win.show(p.sat, to-from-rows, n, rows, height)
	}
}

// scroll moves the view; the bar goes with it only as far as it has to.
func (p *gatePage) scroll(delta int) {
	p.win.scroll(delta, len(p.blocks), p.rows(), p.heights())
	if p.sat < 0 || p.isSeen() {
		return
	}
	best := -1
	for _, s := range p.win.visible(len(p.blocks), p.rows(), p.heights()) {
		if p.blocks[s.item].isStop() && (best < 0 || delta < 0) {
			best = s.item
		}
	}
	if best >= 0 {
		p.choose(best)
	}
}

// isSeen reports whether the bar is in the view.
func (p *gatePage) isSeen() bool {
	if p.sat < 0 {
		return false
	}
	from, to := p.span(p.sat)
	return to > 0 && from < p.rows()
}

// toEnd goes to the first or the last.
func (p *gatePage) toEnd(step int) {
	if len(p.blocks) == 0 {
		return
	}
	at := p.stopFrom(0, 1)
	if step > 0 {
		at = p.stopFrom(len(p.blocks)-1, -1)
	}
	p.choose(at)
	if step > 0 {
		p.win.show(len(p.blocks)-1, 1<<20, len(p.blocks), p.rows(), p.heights())
	} else {
		p.win.show(0, 0, len(p.blocks), p.rows(), p.heights())
	}
	p.reveal()
}

// blockAt is the block at a row of the view, -1 none.
func (p *gatePage) blockAt(y int) int {
	if y < 0 || y >= p.rows() {
		return -1
	}
	for _, s := range p.win.visible(len(p.blocks), p.rows(), p.heights()) {
		if n := s.to - s.from; y < n {
			return s.item
		}
		y -= s.to - s.from
	}
	return -1
}
