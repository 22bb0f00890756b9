package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	plotRows  = 5  // height of the plot
	plotLabel = 7  // cells of the numbers at its left
	barWidth  = 3  // cells of a bar; a blank cell follows
	fewest    = 4  // minimum number of answers for a plot
	mostBars  = 16 // width of the plot
)

// bar is one bar of the plot.
type bar struct {
	from   int // index of its first answer
	tokens int64
}

// barsOf returns the bars of a plot. A bar is the largest context of some answers. The last bar is the last answer. The
// axis counts answers, because a session can rest for days.
func barsOf(list []stats.Context, most int) []bar {
	last := len(list) - 1
	n := min(most-1, last)
	bars := make([]bar, n, n+1)
	for i := range bars {
		bars[i].from = i * last / n
		for _, p := range list[bars[i].from : (i+1)*last/n] {
			bars[i].tokens = max(bars[i].tokens, p.Tokens)
		}
	}
	return append(bars, bar{last, list[last].Tokens})
}

// context draws the plot of the context after each answer, with the compactions.
func (c *column) context() {
	list := c.Context
	most := min((c.width-c.from-plotLabel)/(barWidth+1), mostBars)
	if c.scope != ofSession || len(list) < fewest || most < fewest {
		return
	}
	bars, highest := barsOf(list, most), int64(0)
	for _, b := range bars {
		highest = max(highest, b.tokens)
	}
	top := topOf(highest)
	c.group("Context", "in tokens, after each answer")
	for row := plotRows - 1; row >= 0; row-- {
		text := ""
		if row == plotRows-1 {
			text = render.Tokens(top)
		}
		l := c.line().Put(render.Faint, render.PadLeft(text, plotLabel))
		for i, b := range bars {
			ink := render.Faint
			if i == len(bars)-1 {
				ink = render.Accent
			}
			l.Put(render.Text, " ").Put(ink, cell(b.tokens, top, row))
		}
		c.put(l)
	}
	width := len(bars)*(barWidth+1) - 1
	c.put(c.line().Put(render.Faint, render.PadLeft("0", plotLabel)+" ").Put(render.Rule, strings.Repeat("─", width)))
	c.put(c.line().To(c.from+plotLabel+1).Put(render.Faint, axis(list, bars, c.Compacted, width, c.frame.Now.Location())))
	now, limit := list[len(list)-1].Tokens, render.ContextWindow(highest)
	l := c.line().To(c.from+plotLabel+1).Put(render.Text, render.Tokens(now)+" now")
	l.Put(render.Muted, fmt.Sprintf(", %d %% of %s", now*100/limit, render.Tokens(limit)))
	c.put(l.Put(render.Muted, peak(list, c.Compacted)))
}

// topOf returns the number at the top of the axis, such as 25k for 20.9k.
func topOf(highest int64) int64 {
	step := int64(5)
	for step*20 < highest {
		step *= 10
	}
	return max((highest+step-1)/step, 1) * step
}

// cell returns one row of a bar. Row 0 is at the bottom. A bar is never empty.
func cell(tokens, top int64, row int) string {
	const eighths = " ▁▂▃▄▅▆▇█"
	height := max(int(tokens*plotRows*8/top), 1)
	return strings.Repeat(string([]rune(eighths)[min(max(height-row*8, 0), 8)]), barWidth)
}

// peak returns a text about the context before the last compaction, or about the largest context.
func peak(list []stats.Context, compacted []time.Time) string {
	if n := len(compacted); n > 0 {
		if i := firstAfter(list, compacted[n-1]); i > 0 {
			text := " · " + render.Tokens(list[i-1].Tokens) + " before the "
			if n > 1 {
				text += "last "
			}
			return text + "compaction"
		}
	}
	highest := int64(0)
	for _, p := range list {
		highest = max(highest, p.Tokens)
	}
	if highest > list[len(list)-1].Tokens {
		return " · at most " + render.Tokens(highest)
	}
	return ""
}

// firstAfter returns the index of the first answer after a time, or the number of answers.
func firstAfter(list []stats.Context, at time.Time) int {
	i, _ := slices.BinarySearchFunc(list, at, func(p stats.Context, at time.Time) int { return p.Time.Compare(at) })
	return i
}

// axis returns the line below the plot, with the first and the last time. A ≡ marks the first bar after a compaction.
func axis(list []stats.Context, bars []bar, compacted []time.Time, width int, zone *time.Location) string {
	first, last := list[0].Time.In(zone), list[len(list)-1].Time.In(zone)
	form := "15:04"
	if last.Sub(first) >= 24*time.Hour {
		form = "Jan 2"
	}
	cells := []rune(strings.Repeat(" ", width))
	put := func(at int, text string) { copy(cells[at:], []rune(text)) }
	isFree := func(from, to int) bool {
		return from >= 0 && to <= width && strings.TrimSpace(string(cells[from:to])) == ""
	}
	put(0, first.Format(form))
	end := width - len(last.Format(form))
	put(end, last.Format(form))
	marks := map[int]string{} // column → time of the last compaction there
	for _, at := range compacted {
		answer, i := firstAfter(list, at), len(bars)-1
		for i > 0 && bars[i].from > answer {
			i--
		}
		mark := min(i*(barWidth+1), end-2)
		marks[mark] = at.In(zone).Format(form)
		put(mark, "≡")
	}
	for _, mark := range slices.Backward(slices.Sorted(maps.Keys(marks))) {
		text := marks[mark]
		if isFree(mark+1, mark+len(text)+4) {
			put(mark+2, text)
		} else if isFree(mark-len(text)-3, mark) {
			put(mark-len(text)-1, text)
		}
	}
	return string(cells)
}
