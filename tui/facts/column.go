package facts

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

// column draws one column of groups.
type column struct {
	*Page
	*stats.Figures
	width, from int // the text is between the cells from and width
	x, y        int // position of its first cell on the page
	lines       []string
}

func (p *Page) column(width, from, x, y int) *column {
	return &column{Page: p, Figures: p.figures(), width: width, from: min(from, width/8), x: x, y: y}
}

func (c *column) line() *render.Line { return render.NewLine(c.frame.Styles, c.width).To(c.from) }

func (c *column) put(l *render.Line) { c.lines = append(c.lines, l.String()) }

// group draws a blank line and the heading of a group.
func (c *column) group(name, about string, right ...render.Span) {
	c.lines = append(c.lines, "")
	l := c.line().Put(render.Heading, name)
	if about != "" {
		l.PutUntil(render.Faint, " "+about, c.width-render.SpansWidth(right))
	}
	c.put(l.Right(c.width, right...))
}

// row draws a name, and values at the right. A long name is cut in the middle.
func (c *column) row(ink render.Ink, name string, right ...render.Span) {
	c.named(c.line(), ink, name, right)
}

// choice draws a row that can be selected.
func (c *column) choice(s spot, ink render.Ink, name string, right ...render.Span) {
	s.x, s.y = c.x, c.y+len(c.lines)
	c.spots = append(c.spots, s)
	l := render.NewLine(c.frame.Styles, c.width)
	if s.same(c.bar) {
		l.Select(true).Put(render.AccentBold, "▌")
	}
	c.named(l.To(c.from), ink, name, right)
}

func (c *column) named(l *render.Line, ink render.Ink, name string, right []render.Span) {
	room := max(c.width-l.At()-render.SpansWidth(right)-2, 1)
	c.put(l.Put(ink, words.CutMiddle(name, room)).Right(c.width, right...))
}

func (c *column) pair(name string, ink render.Ink, value string) {
	if value == "" {
		return
	}
	l := c.line()
	at := l.At() + label
	c.put(l.Put(render.Muted, name).To(at).Put(ink, words.CutMiddle(transcript.CleanLine(value), max(c.width-at, 1))))
}

// gauge draws a label, a gauge with n of the total, and a value at the right.
func (c *column) gauge(ink render.Ink, name string, labels int, n, of int64, value render.Span) {
	values := c.width - render.SpansWidth([]render.Span{value})
	l := c.line()
	if at := l.At() + labels; values-at-2 >= leastGauge {
		width := values - at - 2
		done := int(n * int64(width) / max(of, 1))
		if n > 0 {
			done = max(done, 1)
		}
		l.PutUntil(render.Muted, name, at-1).To(at).GaugeIn(ink, done, width, width)
	} else {
		l.PutUntil(render.Muted, name, values-1)
	}
	c.put(l.Right(c.width, value))
}

// shown returns how many rows of a list are drawn. more reports whether the row of rest is below.
func (c *column) shown(g group, n int) (rows int, more bool) {
	switch {
	case n <= fewRows+1: // "… 1 more" takes a row too
		return n, false
	case c.opened[g]:
		return n, true
	}
	return fewRows, true
}

// rest draws a row such as "… 3 more", which shows or hides rows of a list.
func (c *column) rest(g group, n int, right ...render.Span) {
	text := "… " + words.Count(n) + " more"
	if n == 0 {
		text, right = "first rows only", nil
	}
	c.choice(spot{group: g, more: true}, render.Faint, text, right...)
}

// folder returns a path relative to the folder of the session, or with ~ for the home directory.
func (p *Page) folder(path string) string {
	if dir := transcript.CleanLine(p.opts.Row.Workdir); dir != "" && p.scope != ofAll {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok {
			path = rest
		}
	}
	return render.Folder(path, p.frame.Home)
}
