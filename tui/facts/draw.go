package facts

import (
	"cmp"
	"fmt"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	left       = 4   // column of the text
	barAt      = 2   // cells from the bar to the text
	twoFrom    = 100 // minimum terminal width for two columns of groups
	between    = 5   // cells between two columns
	label      = 14  // cells of a label and the gap after it
	number     = 10  // cells of a column of numbers
	leastGauge = 10  // cells
	leastStep  = 14  // minimum cells for a number at the top, with a gap
	fewRows    = 5   // rows of a list that isn't opened
)

// View implements screen.Screen.
func (p *Page) View() screen.View {
	v := screen.View{Body: p.body(), Left: p.state()}
	v.Title, v.Rule = p.title()
	if rows := p.frame.Layout.Body.H; len(p.lines) > rows {
		v.Right = fmt.Sprintf("%d %%", min(p.top+rows, len(p.lines))*100/len(p.lines))
	}
	return v
}

func (p *Page) body() []string {
	if c := p.known[p.scope]; c != nil && c.failed() != nil {
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Failed(c.failed(), p.frame.Home)
		n.Detail("esc goes back.")
		return n.Lines
	}
	return p.lines[min(p.top, len(p.lines)):min(p.top+p.frame.Layout.Body.H, len(p.lines))]
}

// draw draws the whole page, twice if the bar moves.
func (p *Page) draw() {
	was := p.bar
	p.lines = p.page()
	if p.settle(); !p.bar.same(was) {
		p.lines = p.page()
		p.settle()
	}
	p.top = min(p.top, max(len(p.lines)-p.frame.Layout.Body.H, 0))
}

// page draws the numbers, then the groups.
func (p *Page) page() []string {
	lines := p.numbers()
	p.spots = nil
	if p.figures() == nil {
		return lines
	}
	width := p.frame.Width
	if width < twoFrom {
		c := p.column(width-1, left, 0, len(lines))
		c.tokens()
		c.models()
		c.context()
		c.files()
		c.failures()
		c.requests()
		c.tools()
		c.session()
		return append(lines, c.lines...)
	}
	a := p.column(half(width), left, 0, len(lines))
	at := half(width) + between
	b := p.column(width-at-1, barAt, at, len(lines))
	a.tokens()
	a.models()
	a.context()
	a.session()
	b.files()
	b.failures()
	b.requests()
	b.tools()
	for i := range max(len(a.lines), len(b.lines)) {
		line := ""
		if i < len(a.lines) {
			line = a.lines[i]
		}
		if i < len(b.lines) && b.lines[i] != "" {
			line = render.Pad(line, at) + b.lines[i]
		}
		lines = append(lines, line)
	}
	return lines
}

// half returns the right edge of the left column.
func half(width int) int { return width/2 - 2 }

// numbers draws the seven numbers at the top, with their names below. An unknown number is "…".
func (p *Page) numbers() []string {
	texts, names := []string{"…", "…", "…", "…", "…", "…", "…"}, []string{"duration", "active", "messages", "prompts", "tool calls", "files changed", "compactions"}
	if p.scope != ofSession {
		names[0] = "sessions"
	}
	if f := p.figures(); f != nil {
		calls, _ := f.Calls()
		texts[0], texts[1] = cmp.Or(words.Duration(f.Duration()), "0 s"), cmp.Or(words.Duration(f.Active), "0 s")
		if p.scope != ofSession {
			texts[0] = words.Count(p.known[p.scope].active)
		}
		for i, n := range []int{f.Messages, f.Prompts, calls, len(f.Files), f.Compactions} {
			if texts[2+i] = words.Count(n); n == 1 {
				names[2+i] = []string{"message", "prompt", "tool call", "file changed", "compaction"}[i]
			}
		}
	}
	width, rows := p.frame.Width, [][]int{{0, 1, 2, 3, 4, 5, 6}}
	step := (width - left) / len(texts)
	at := func(i int) int { return left + i*step }
	switch right := half(width) + between + barAt; {
	case width >= twoFrom:
		at = func(i int) int {
			if i < 4 {
				return left + i*(right-left)/4
			}
			return right + (i-4)*(width-right)/3
		}
	case step < leastStep:
		step = max((width-left)/4, 1)
		rows = [][]int{{0, 1, 2, 3}, {4, 5, 6}}
		at = func(i int) int { return left + i%4*step }
	}
	var lines []string
	for _, row := range rows {
		above, below := render.NewLine(p.frame.Styles, width), render.NewLine(p.frame.Styles, width)
		for _, i := range row {
			end := width
			if i != row[len(row)-1] {
				end = at(i+1) - 1
			}
			above.To(at(i)).PutUntil(render.Strong, texts[i], end)
			below.To(at(i)).PutUntil(render.Muted, names[i], end)
		}
		lines = append(lines, above.String(), below.String())
	}
	return lines
}
