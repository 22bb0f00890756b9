package facts

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	plotRows  = 5  // height of the plot
	plotLabel = 7  // cells for the numbers left of the plot
	fewest    = 4  // minimum number of answers for a plot; with fewer, the last number says as much
	mostCells = 60 // maximum width of the plot
)

// context plots how large the context was after each answer of the main thread. The distances between the answers
// are equal, because a session can rest for days between two answers.
func (c *column) context() {
	list := c.figures.Context
	if len(list) < fewest {
		return
	}
	var most int64
	for _, p := range list {
		most = max(most, p.Tokens)
	}
	cells := min(c.width-c.line().At()-plotLabel-2, mostCells)
	if cells < leastGauge {
		return
	}
	c.group("Context after each answer", render.Span{Ink: render.Faint, Text: "tokens"})
	heights := plot(list, cells, most)
	for row := plotRows - 1; row >= 0; row-- {
		label := ""
		switch row {
		case plotRows - 1:
			label = render.Tokens(most)
		case 0:
			label = "0"
		}
		c.put(c.line().Put(render.Faint, render.PadLeft(label, plotLabel)+"  ").Put(render.Muted, bars(heights, row)))
	}
	zone := c.frame.Now.Location()
	first, last := list[0].Time.In(zone).Format("15:04"), list[len(list)-1].Time.In(zone).Format("15:04")
	if list[0].Time.In(zone).YearDay() != list[len(list)-1].Time.In(zone).YearDay() {
		first, last = list[0].Time.In(zone).Format("Jan 2"), list[len(list)-1].Time.In(zone).Format("Jan 2")
	}
	axis := c.line()
	at := axis.At() + plotLabel + 2
	c.put(axis.To(at).Put(render.Faint, first).Right(at+cells, render.Span{Ink: render.Faint, Text: last}))
}

// plot returns the height of each cell in eighths of a row. If a cell stands for several answers, it has the
// height of the highest one. If an answer needs several cells, all of them have the same height.
func plot(list []stats.Context, cells int, highest int64) []int {
	heights := make([]int, cells)
	for i := range heights {
		from, to := i*len(list)/cells, max((i+1)*len(list)/cells, i*len(list)/cells+1)
		for _, p := range list[from:to] {
			heights[i] = max(heights[i], max(int(p.Tokens*plotRows*8/max(highest, 1)), 1))
		}
	}
	return heights
}

// bars draws one row of a plot, counted from the bottom.
func bars(heights []int, row int) string {
	const eighths = " ▁▂▃▄▅▆▇█"
	var b strings.Builder
	for _, h := range heights {
		n := min(max(h-row*8, 0), 8)
		b.WriteRune([]rune(eighths)[n])
	}
	return b.String()
}

// failures lists the calls that failed.
func (c *column) failures() {
	list := c.figures.Failures
	if len(list) == 0 {
		return
	}
	calls, failed := c.figures.Calls()
	c.group("Failures", render.Span{Ink: render.Faint, Text: words.Count(failed) + " of " + words.Counted(calls, "call", "calls")})
	n := c.shown(len(list))
	for _, f := range list[len(list)-n:] { // only the last ones
		why := "✗ failed"
		if f.Exit != 0 {
			why = "✗ exit " + words.Count(f.Exit)
		}
		if f.N > 1 {
			why += ", " + words.Counted(f.N, "time", "times")
		}
		at := ""
		if !f.Last.IsZero() {
			at = "  " + f.Last.In(c.frame.Now.Location()).Format("15:04")
		}
		c.row(render.Text, f.What, render.Span{Ink: render.Bad, Text: why}, render.Span{Ink: render.Faint, Text: at})
	}
	c.more(len(list) - n)
}
