package facts

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	left       = 4   // the column of the text
	twoFrom    = 100 // minimum width of the terminal, in cells, for two columns of groups
	label      = 14  // cells of a label and of the gap after it
	number     = 10  // cells of a column with numbers
	lineCount  = 6   // cells for a number of added or removed lines
	leastGauge = 10  // minimum width of a gauge, in cells
	leastStep  = 14  // minimum cells for a number at the top, such as "files changed" and a gap
	fewRows    = 5   // rows of a list before the user presses enter
)

// View implements screen.Screen.
func (p *Page) View() screen.View {
	f := &p.frame
	title := render.NewLine(f.Styles, f.Width).To(1).Put(render.Strong, "Facts")
	room := max(f.Width-title.At()-3, 0)
	title.Right(f.Width-1, render.Span{Ink: render.Muted, Text: words.Cut(render.Title(&p.opts.Row), room)})
	v := screen.View{Title: title.String(), Body: p.body(), Left: "Counting…"}
	if p.figures != nil || p.err != nil {
		v.Left = "Each message is counted once. Sub-agents are included."
	}
	if rows := f.Layout.Body.H; p.err == nil && len(p.lines) > rows {
		v.Right = fmt.Sprintf("%d %%", min(p.top+rows, len(p.lines))*100/len(p.lines))
	}
	return v
}

// body returns the visible lines.
func (p *Page) body() []string {
	if p.err != nil {
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Failed(p.err, p.frame.Home)
		n.Detail("Press esc to go back.")
		return n.Lines
	}
	return p.lines[min(p.top, len(p.lines)):min(p.top+p.frame.Layout.Body.H, len(p.lines))]
}

// draw draws the whole page: first the numbers, then the groups.
func (p *Page) draw() []string {
	lines := p.numbers()
	if p.figures == nil {
		return lines
	}
	width := p.frame.Width
	if width < twoFrom {
		c := p.column(width-1, left)
		c.tokens()
		c.models()
		c.context()
		c.files()
		c.failures()
		c.tools()
		c.commands()
		c.requests()
		c.file()
		return append(lines, c.lines...)
	}
	half := width/2 - 2
	a, b := p.column(half, left), p.column(width-half-8, 0)
	a.tokens()
	a.models()
	a.context()
	a.file()
	b.files()
	b.failures()
	b.tools()
	b.commands()
	b.requests()
	for i := range max(len(a.lines), len(b.lines)) {
		line := ""
		if i < len(a.lines) {
			line = a.lines[i]
		}
		if i < len(b.lines) && b.lines[i] != "" {
			line = render.Pad(line, half+7) + b.lines[i]
		}
		lines = append(lines, line)
	}
	return lines
}

// numbers draws the seven numbers at the top, and their names below. An unknown number is "…".
func (p *Page) numbers() []string {
	texts, names := []string{"…", "…", "…", "…", "…", "…", "…"}, []string{"duration", "active", "messages", "prompts", "tool calls", "files changed", "compactions"}
	if f := p.figures; f != nil {
		calls, _ := f.Calls()
		texts[0], texts[1] = cmp.Or(words.Duration(f.Duration()), "0 s"), cmp.Or(words.Duration(f.Active), "0 s")
		for i, n := range []int{f.Messages, f.Prompts, calls, len(f.Files), f.Compactions} {
			if texts[2+i] = words.Count(n); n == 1 {
				names[2+i] = []string{"message", "prompt", "tool call", "file changed", "compaction"}[i]
			}
		}
	}
	width, each := p.frame.Width, len(texts)
	if (width-left)/each < leastStep {
		each = 4
	}
	step := max((width-left)/each, 1)
	var lines []string
	for from := 0; from < len(texts); from += each {
		above, below := render.NewLine(p.frame.Styles, width), render.NewLine(p.frame.Styles, width)
		for i := from; i < min(from+each, len(texts)); i++ {
			at := left + (i-from)*step
			above.To(at).PutUntil(render.Strong, texts[i], at+step-1)
			below.To(at).PutUntil(render.Muted, names[i], at+step-1)
		}
		lines = append(lines, above.String(), below.String())
	}
	return lines
}

// column is a column of groups that is being drawn.
type column struct {
	*Page
	width, from int // in cells; the text goes from the cell from to the cell width
	lines       []string
}

func (p *Page) column(width, from int) *column { return &column{Page: p, width: width, from: from} }

func (c *column) line() *render.Line {
	return render.NewLine(c.frame.Styles, c.width).To(min(c.from, c.width/8))
}

func (c *column) put(l *render.Line) { c.lines = append(c.lines, l.String()) }

// group draws a heading with a blank line above.
func (c *column) group(name string, right ...render.Span) {
	c.lines = append(c.lines, "")
	c.put(c.line().Put(render.Heading, name).Right(c.width, right...))
}

// row draws a name, and values at the right. If the name is too long for the line, the middle of the name is cut
// out.
func (c *column) row(ink render.Ink, name string, right ...render.Span) {
	l := c.line()
	room := max(c.width-l.At()-render.SpansWidth(right)-2, 1)
	c.put(l.Put(ink, words.CutMiddle(name, room)).Right(c.width, right...))
}

// pair draws a label and its value.
func (c *column) pair(name, value string) {
	if value == "" {
		return
	}
	l := c.line()
	at := l.At() + label
	c.put(l.Put(render.Muted, name).To(at).Put(render.Text, words.CutMiddle(transcript.CleanLine(value), max(c.width-at, 1))))
}

// gauge draws a label, a heavy line for the share n of of, and values at the right.
func (c *column) gauge(ink render.Ink, name string, n, of int64, right ...render.Span) {
	values := c.width - render.SpansWidth(right)
	l := c.line()
	if at := l.At() + label; values-at-2 >= leastGauge {
		width := values - at - 2
		done := int(n * int64(width) / max(of, 1))
		if n > 0 {
			done = max(done, 1)
		}
		l.PutUntil(render.Muted, name, at-1).To(at).GaugeIn(ink, done, width, width)
	} else {
		l.PutUntil(render.Muted, name, values-1)
	}
	c.put(l.Right(c.width, right...))
}

// shown returns how many rows of a list are drawn.
func (c *column) shown(n int) int {
	if c.all || n == fewRows+1 { // the line "… 1 more" would take a row too
		return n
	}
	return min(n, fewRows)
}

func (c *column) tokens() {
	u := c.figures.Tokens()
	whole := u.Input + u.Output + u.CacheRead + u.CacheWrite
	if whole == 0 {
		return
	}
	c.group("Tokens by kind", render.Span{Ink: render.Muted, Text: render.Tokens(whole)})
	for i, k := range []struct {
		name string
		n    int64
	}{{"cache read", u.CacheRead}, {"cache write", u.CacheWrite}, {"output", u.Output}, {"input", u.Input}} {
		ink := render.Muted
		if i == 0 {
			ink = render.Accent
		}
		c.gauge(ink, k.name, k.n, whole, render.Span{Ink: render.Text, Text: render.PadLeft(render.Tokens(k.n), 7)})
	}
	c.put(c.line().Put(render.Faint, fmt.Sprintf("%.0f %% of the input came from the cache.", 100*stats.CacheShare(u))))
}

func (c *column) models() {
	if len(c.figures.Models) == 0 {
		return
	}
	head := func(text string) render.Span {
		return render.Span{Ink: render.Faint, Text: render.PadLeft(text, number)}
	}
	c.group("Tokens by model", head("output"), head("messages"))
	for _, m := range c.figures.Models {
		name := m.Name
		if m.Agent {
			name += " in sub-agents"
		}
		c.row(render.Text, name, render.Span{Ink: render.Text, Text: render.PadLeft(render.Tokens(m.Tokens.Output), number)},
			render.Span{Ink: render.Text, Text: render.PadLeft(words.Count(m.Messages), number)})
	}
}

// files lists the changed files. A file in the folder of the session is shown by its path relative to this folder.
func (c *column) files() {
	files := c.figures.Files
	if len(files) == 0 {
		return
	}
	counts := func(added, removed int) []render.Span {
		spans := talk.LineCounts(added, removed)
		for i := range spans {
			if spans[i].Text != " " {
				spans[i].Text = render.PadLeft(spans[i].Text, lineCount)
			}
		}
		return spans
	}
	c.group("Files changed", counts(c.figures.Lines())...)
	n := c.shown(len(files))
	for _, file := range files[:n] {
		name := file.Path
		if rest, ok := strings.CutPrefix(name, transcript.CleanLine(c.opts.Row.Workdir)+"/"); ok && c.opts.Row.Workdir != "" {
			name = rest
		}
		c.row(render.Text, render.Folder(name, c.frame.Home), counts(file.Added, file.Removed)...)
	}
	c.more(len(files) - n)
}

func (c *column) more(n int) {
	if n > 0 {
		c.row(render.Faint, "… "+words.Count(n)+" more")
	}
}

func (c *column) tools() {
	tools := c.figures.Tools
	if len(tools) == 0 {
		return
	}
	_, failed := c.figures.Calls()
	right := func(ink render.Ink, calls string, bad render.Ink, failures string) []render.Span {
		spans := []render.Span{{Ink: ink, Text: render.PadLeft(calls, number)}}
		if failed > 0 {
			spans = append(spans, render.Span{Ink: bad, Text: render.PadLeft(failures, number)})
		}
		return spans
	}
	c.group("Tools", right(render.Faint, "calls", render.Faint, "failed")...)
	n := c.shown(len(tools))
	for _, t := range tools[:n] {
		failures := ""
		if t.Failed > 0 {
			failures = "✗ " + words.Count(t.Failed)
		}
		c.gauge(render.Muted, t.Name, int64(t.Calls), int64(tools[0].Calls), right(render.Text, words.Count(t.Calls), render.Bad, failures)...)
	}
	c.more(len(tools) - n)
}

func (c *column) commands() {
	f := c.figures
	if f.Commands+f.Errors == 0 {
		return
	}
	c.group("Commands and errors")
	failed := ""
	if f.CommandsFailed > 0 {
		failed = ", ✗ " + words.Count(f.CommandsFailed) + " failed"
	}
	c.pair("commands", words.Count(f.Commands)+failed)
	c.pair("API errors", words.Count(f.Errors))
}

func (c *column) requests() {
	if len(c.figures.Requests) == 0 {
		return
	}
	c.group("Pull requests")
	for _, r := range c.figures.Requests {
		c.row(render.Text, fmt.Sprintf("#%d %s", r.Number, cmp.Or(r.Repository, r.URL)),
			render.Span{Ink: render.Faint, Text: "linked " + words.Inside(c.frame.Now, r.Linked)})
	}
}

// file draws the facts that identify the session and its file.
func (c *column) file() {
	row := &c.opts.Row
	c.group("Session")
	if row.ContextTokens > 0 {
		c.pair("context", render.Tokens(row.ContextTokens)+" tokens")
		if price := render.ReadAgain(&c.opts.Prices, row, c.frame.Now); price != "" {
			for _, s := range render.Wrap(words.Sentence(price), c.width-c.line().At()) {
				c.put(c.line().Put(render.Faint, s))
			}
		}
	}
	if n := c.figures.Agents; n > 0 {
		c.pair("sub-agents", words.Count(n))
	}
	c.pair("client", row.Version)
	if row.Bytes > 0 {
		c.pair("size", words.Size(row.Bytes))
	}
	c.pair("id", row.ID)
	c.pair("folder", render.Folder(row.Workdir, c.frame.Home))
	c.pair("file", render.Folder(row.Path, c.frame.Home))
}
