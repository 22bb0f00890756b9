package taskview

import (
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
)

// chain is the pane of a task: its gates and findings, and its sessions and checkpoints, newest first.
type chain struct {
	blocks.List
	of    *task.Task // the task as it was last read
	look  chainLook
	found []task.Finding
	items []chainItem
	lines [][]string // drawn lines of each item, or nil
	sel   string     // name of the selected checkpoint, or file name of the brief
	open  map[string]bool
	st    *render.Styles
	now   time.Time
}

// chainLook has what the drawn lines depend on, besides the task.
type chainLook struct {
	width, day int
	theme      render.Theme
}

// chainItem is an item of the pane. Only a checkpoint and the brief can be selected.
type chainItem struct {
	moment *task.Moment
	brief  *task.Brief
	last   bool // the oldest item of the timeline
	draw   func() []string
}

// Len implements blocks.Items.
func (c *chain) Len() int { return len(c.items) }

// Height implements blocks.Items.
func (c *chain) Height(i int) int {
	if c.lines[i] == nil {
		c.lines[i] = c.drawItem(i, false)
	}
	return len(c.lines[i])
}

// Stops implements blocks.Items.
func (c *chain) Stops(i int) bool { return c.items[i].name() != "" }

// Chosen implements blocks.Items.
func (c *chain) Chosen(i int) { c.sel = c.items[i].name() }

// name identifies an item that can be selected. Other items have "".
func (it *chainItem) name() string {
	switch c := it.checkpoint(); {
	case it.brief != nil:
		return it.brief.File
	case c != nil:
		return c.Name
	}
	return ""
}

func (it *chainItem) checkpoint() *task.Checkpoint {
	if it.moment == nil {
		return nil
	}
	return it.moment.Checkpoint
}

// build builds the items of a task if the task or the look has changed.
func (c *chain) build(t *task.Task, found []task.Finding, look chainLook, rows int, st *render.Styles, now time.Time) {
	c.Rows, c.st, c.now = rows, st, now
	if c.of == t && c.look == look {
		c.Fit()
		return
	}
	if t == nil || c.of == nil || c.of.Slug != t.Slug {
		*c = chain{List: blocks.List{Items: c, At: -1, Text: true, Rows: rows}, st: st, now: now, open: map[string]bool{}}
	}
	c.of, c.look, c.found = t, look, found
	c.items = nil
	if t != nil {
		c.fill()
	}
	c.lines = make([][]string, len(c.items))
	c.At = slices.IndexFunc(c.items, func(it chainItem) bool { return c.sel != "" && it.name() == c.sel })
	if c.At < 0 {
		if c.At = c.End(-1); c.At >= 0 {
			c.Chosen(c.At)
		}
	}
	c.Fit()
}

func (c *chain) fill() {
	add := func(draw func() []string) { c.items = append(c.items, chainItem{draw: draw}) }
	blank := func() { add(func() []string { return []string{""} }) }
	add(c.drawGates)
	add(c.drawWanted)
	if len(c.found) > 0 || c.of.Problem != nil {
		add(c.drawFindings)
	}
	if c.of.Brief != nil {
		c.items = append(c.items, chainItem{brief: c.of.Brief})
	}
	all := c.of.Timeline()
	add(func() []string { return c.drawHead(len(all)) })
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Kind != task.MomentEnd { // the last checkpoint shows the end of the session
			c.items = append(c.items, chainItem{moment: &all[i]})
		}
	}
	c.items[len(c.items)-1].last = len(all) > 0
	blank()
	add(c.drawContinue)
}

func (c *chain) drawItem(i int, chosen bool) []string {
	it := &c.items[i]
	switch {
	case it.brief != nil:
		return c.drawBrief(it.brief, chosen)
	case it.moment == nil:
		return it.draw()
	}
	return c.drawMoment(it, chosen)
}

// view returns the visible lines. focus means that the pane has the focus.
func (c *chain) view(focus bool) []string {
	var lines []string
	for _, s := range c.Visible() {
		text := c.lines[s.Item]
		if s.Item == c.At && focus {
			text = c.drawItem(s.Item, true)
		}
		lines = append(lines, text[s.From:s.To]...)
	}
	return lines
}

// fold unfolds or folds the selected checkpoint or brief.
func (c *chain) fold() {
	if c.At < 0 {
		return
	}
	c.open[c.sel] = !c.open[c.sel]
	c.lines[c.At] = nil
	c.Fit()
	c.Reveal()
}

// brief returns the selected brief, or nil.
func (c *chain) brief() *task.Brief {
	if c.At < 0 {
		return nil
	}
	return c.items[c.At].brief
}

// number returns the number of a session within the task, from 1.
func (c *chain) number(s *task.Session) string {
	return strconv.Itoa(slices.Index(c.of.Sessions, s) + 1)
}
