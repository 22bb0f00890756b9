package reader

import (
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// fold opens the selected part further, or folds an open part. It returns false if the part can't be opened.
func (c *cursor) fold(rows int) bool {
	if len(c.out.Refs) == 0 {
		return false
	}
	if e := c.view.cache.messages[c.bar.message]; e != nil { // lastPart would select another part when a list opens
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
	case c.foldedAt > from: // back to the row where the part was opened
		c.goal = &goal{message: c.bar.message, part: c.bar.part, block: noBlock, row: c.foldedAt}
	}
	return true
}

// unveil shows as much as possible of an opened part at the bottom. Then it aligns the top of the view.
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

// alignTop scrolls down by some rows, so that the view starts with a part.
func (c *cursor) alignTop(rows int) {
	const mostCut = 4 // rows of a part that may be scrolled out of the view
	from, _ := c.barRows()
	if n := c.view.untilPart(min(from, mostCut)); n > 0 {
		c.scroll(n, rows)
	}
}

// showMessage makes a message visible: it opens the turn or shows all quiet messages.
func (c *cursor) showMessage(i int) {
	if c.out.Off(i) {
		c.showThread(0)
	}
	if c.out.Refs[i].Quiet && !c.folds.Noisy {
		c.toggleQuiet()
	}
	if w := c.out.Work(i); w != nil && !c.folds.IsOpen(w) {
		c.setFold(w.From, talk.WorkBlock, talk.Open)
	}
	if c.folds.InRun(i) {
		c.openRun(i, 0)
	}
}

// showPart makes a part visible: it opens the message's turn and the part's run.
func (c *cursor) showPart(message, block int) {
	c.showMessage(message)
	c.openRun(message, block)
}

func (c *cursor) openRun(message, block int) {
	if lead, line, ok := c.folds.FoldedRun(message, block); ok {
		c.setFold(lead, line, talk.Open)
	}
}

// keepShown opens the run of the goal or of the selected call. Counting a turn may fold calls into runs.
func (c *cursor) keepShown() {
	if g := c.goal; g != nil && (g.search != nil || g.ofBlock) {
		c.showPart(g.message, g.block)
		return
	}
	if part := c.view.part(c.bar); c.view.win.Pin == 0 && part.Block >= 0 {
		c.showPart(c.bar.message, part.Block)
	}
}

// showThread shows thread t in place of the messages after its split. 0 shows all threads.
func (c *cursor) showThread(t int) {
	c.out.Show(t)
	c.refolded()
}

// toggleQuiet shows or hides the quiet messages, such as notices of the client.
func (c *cursor) toggleQuiet() {
	c.folds.Noisy = !c.folds.Noisy
	c.view.win.Pin = 0
	c.refolded()
}

func (c *cursor) setFold(message, block int, to talk.Fold) {
	c.folds.Set(message, block, to)
	c.view.win.Pin = 0
	if block == talk.WorkBlock || talk.IsRun(block) {
		c.refolded()
	}
	if e := c.view.cache.messages[message]; e != nil {
		e.stale = true
	}
}

// foldAll opens all turns at the first press, all parts at the second, and folds everything at the third.
func (c *cursor) foldAll() {
	c.folds.NextAll()
	c.view.win.Pin = 0
	c.refolded()
	for _, e := range c.view.cache.messages {
		e.stale = true
	}
}

// refolded updates the turns and runs after a fold has changed. The bar leaves hidden messages.
func (c *cursor) refolded() {
	c.folds.Update()
	if w := c.out.Work(c.bar.message); w != nil && !c.folds.IsOpen(w) && c.folds.Hidden(c.bar.message) {
		c.bar = bar{message: w.From}
	}
	if c.folds.Hidden(c.bar.message) {
		c.bar = bar{max(c.folds.ShownBefore(c.bar.message), 0), lastPart}
	}
	for i, e := range c.view.cache.messages {
		e.stale = e.stale || !e.same(c.view.headOf(i)) || c.view.endBefore(i, e.after) != e.after
	}
}
