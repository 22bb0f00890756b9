package reader

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// goal is a part, or a line of a part, to scroll to. The scroll waits until the message is drawn.
type goal struct {
	message int
	part    int
	block   int // block of the part, if search or ofBlock is set
	ofBlock bool
	row     int     // row of the view on which the goal should be
	search  *finder // if set, the goal is this search's selected line
	text    string  // if set, the goal is the first line with this text
}

// noBlock is the block of a goal that doesn't wait until a block is rendered as markdown.
const noBlock = -3

// aim sets a goal in the upper third of the view. A distant or undrawn message is shown at once.
func (c *cursor) aim(g goal, rows int) {
	g.row = min(rows/3, 8)
	c.goal, c.view.ahead = &g, aheadAtOnce
	if from := c.view.y(g.message); c.view.cache.messages[g.message] == nil || from < -rows || from > 2*rows {
		c.view.show(g.message, 0, rows)
	}
	c.view.win.Pin = 0
	c.reach(rows)
}

// reach scrolls to the goal if the message of the goal is drawn.
func (c *cursor) reach(rows int) {
	g := c.goal
	if g == nil || g.message >= len(c.out.Refs) {
		return
	}
	e := c.view.cache.messages[g.message]
	if e == nil || e.stale {
		return
	}
	line := 0
	if g.search != nil {
		if c.openFor(g.search, found{g.message, g.block}, e); e.stale {
			return
		}
		g.part = e.partOf(g.block)
		line = g.search.line(e, e.parts[g.part])
	}
	if g.ofBlock {
		g.part = e.partOf(g.block)
	}
	if g.text != "" {
		line = e.lineWith(c.view.part(bar{g.message, g.part}), g.text)
	}
	c.bar = bar{g.message, g.part}
	p := c.view.part(c.bar)
	// Show the message in one call, because the view can't scroll beyond the end.
	c.view.show(g.message, p.From+line-g.row, rows)
	if !e.waits(g.block) {
		c.goal = nil
	}
	c.keepBar(g.row, rows)
}

// makeRoom scrolls up to make room for the lines below the selected line.
func (c *cursor) makeRoom(rows int) {
	from, _ := c.barRows()
	c.goal = &goal{message: c.bar.message, part: c.bar.part, block: noBlock, row: min(from, rows/3)}
}

// lineWith returns the index of the first line of a part that contains the start of a text.
func (e *cached) lineWith(p talk.Part, text string) int {
	want := []rune(opened.Plain(text))
	for n := min(len(want), 48); n > 0; n /= 2 {
		for i, line := range e.lines[p.From:p.To] {
			if strings.Contains(opened.Plain(ansi.Strip(line)), string(want[:n])) {
				return i
			}
		}
	}
	return 0
}
