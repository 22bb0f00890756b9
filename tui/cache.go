package tui

import "github.com/continuo-tui/continuo/tui/render"

// maxCache is how many bytes of text and lines a reader keeps: some hundred screens, whatever the length of the
// conversation.
const maxCache = 16 << 20

// cached is one message of a reader: decoded, and drawn for a width and a theme.
type cached struct {
	drawing
	width int
	theme render.Theme
	bytes int
}

// cache keeps the messages around the view. What is far away goes first; its height is kept by the reader, so
// nothing moves.
type cache struct {
	messages map[int]*cached
	bytes    int
}

// put keeps a drawing in place of what was there.
func (c *cache) put(d drawing, width int, theme render.Theme) {
	if c.messages == nil {
		c.messages = map[int]*cached{}
	}
	c.drop(d.index)
	e := &cached{drawing: d, width: width, theme: theme}
	for _, line := range d.lines {
		e.bytes += len(line) + 16
	}
	for i := range d.msg.Blocks {
		b := &d.msg.Blocks[i]
		e.bytes += len(b.Text) + len(b.Input) + len(b.Raw) + 200
	}
	c.messages[d.index] = e
	c.bytes += e.bytes
}

func (c *cache) drop(index int) {
	if e := c.messages[index]; e != nil {
		c.bytes -= e.bytes
		delete(c.messages, index)
	}
}

// trim drops the messages farther from [from, to] than half the farthest one, until the rest is small enough.
func (c *cache) trim(from, to int) {
	for c.bytes > maxCache {
		far := 0
		for i := range c.messages {
			far = max(far, from-i, i-to)
		}
		if far == 0 {
			return
		}
		for i := range c.messages {
			if max(from-i, i-to) > far/2 {
				c.drop(i)
			}
		}
	}
}
