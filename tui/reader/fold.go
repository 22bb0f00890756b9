package reader

import (
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// fold opens the selected part further. If the part is fully open, fold folds it. It returns false if the part
// can't be opened.
func (c *cursor) fold(rows int) bool {
	if len(c.out.Refs) == 0 {
		return false
	}
	if e := c.view.cache.messages[c.bar.message]; e != nil { // lastPart would select another part when a list is opened
		c.bar.part = min(c.bar.part, len(e.parts)-1)
	}
	p := c.view.part(c.bar)
	to := talk.Shut
	switch {
	case p.Fold == talk.Fixed:
		return false
	case p.Fold == talk.Shut:
		to = talk.Open
	case p.Fold == talk.Open && p.More:
		to = talk.Whole
	}
	from, _ := c.barRows()
	if p.Fold == talk.Shut {
		c.foldedAt = from
	}
	c.setFold(c.bar.message, p.Block, to)
	switch {
	case (p.Block == talk.WorkBlock || talk.IsRun(p.Block)) && to == talk.Open:
		c.makeRoom(rows)
	case to != talk.Shut:
		c.reveal = true
	case c.foldedAt > from: // scroll back to the row on which the part was opened
		c.goal = &goal{message: c.bar.message, part: c.bar.part, block: noBlock, row: c.foldedAt}
	}
	return true
}

// makeRoom scrolls up to make room for the lines below the selected line.
func (c *cursor) makeRoom(rows int) {
	from, _ := c.barRows()
	c.goal = &goal{message: c.bar.message, part: c.bar.part, block: noBlock, row: min(from, rows/3)}
}

// unveil shows as much as possible of a part that was opened in the lower third of the view. Then it aligns the top
// of the view.
func (c *cursor) unveil(rows int) {
	if !c.reveal {
		return
	}
	if e := c.view.cache.messages[c.bar.message]; e == nil || e.stale {
		return
	}
	c.reveal = false
	from, to := c.barRows()
	if over := min(to-rows+1, from-1); over > 0 && from >= rows*2/3 {
		c.scroll(over, rows)
	}
	c.alignTop(rows)
}

// alignTop scrolls down by some rows so that the view starts with a part, and not with the last rows of one. The bar
// stays in the view.
func (c *cursor) alignTop(rows int) {
	const mostCut = 4 // rows of a part that may be scrolled out of the view
	from, _ := c.barRows()
	if n := c.view.untilPart(min(from, mostCut)); n > 0 {
		c.scroll(n, rows)
	}
}
