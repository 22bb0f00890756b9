package reader

import "github.com/continuo-tui/continuo/tui/render/talk"

// showMessage makes a message visible. It opens the turn of the message, or shows all quiet messages.
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

// showPart makes a part visible. It opens the turn of the message, and the run that the part belongs to.
func (c *cursor) showPart(message, block int) {
	c.showMessage(message)
	c.openRun(message, block)
}

// openRun opens the run that a block belongs to.
func (c *cursor) openRun(message, block int) {
	if lead, line, ok := c.folds.FoldedRun(message, block); ok {
		c.setFold(lead, line, talk.Open)
	}
}

// keepShown is called after a turn was counted, which may fold calls into runs. It opens the run of the goal or,
// without a goal, the run of the selected call.
func (c *cursor) keepShown() {
	if g := c.goal; g != nil && (g.search != nil || g.ofBlock) {
		c.showPart(g.message, g.block)
		return
	}
	if part := c.view.part(c.bar); c.view.win.Pin == 0 && part.Block >= 0 {
		c.showPart(c.bar.message, part.Block)
	}
}

// showThread shows thread t in place of the messages after its split; 0 shows all threads.
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

// setFold sets the fold of a block. The message of the block is drawn again.
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

// refolded updates the turns and runs after a fold has changed. If the bar is on a message that is hidden now, it
// moves to the line of the folded turn or run.
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
