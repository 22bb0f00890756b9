package taskview

import (
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape {
	return screen.Shape{List: true, Outline: true, Preview: true, Flip: p.inside}
}

// head returns the number of rows above the pane beside the list.
func (p *Page) head() int {
	switch h := p.f.Layout.Preview.H; {
	case h < 4:
		return 0
	case p.f.Height >= 30:
		return 2
	}
	return 1
}

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	if p.f.Front = f.Front; !f.Front { // the layout belongs to the screen in front
		return nil
	}
	p.f = f
	p.fit()
	return nil
}

func (p *Page) fit() {
	if p.facts == nil || p.f.Width <= 0 {
		return
	}
	l := &p.f.Layout
	p.rail.list(p.facts, l.Body.H, p.f.Now)
	width, rows := l.Preview.W, max(l.Preview.H-p.head(), 0)
	if width == 0 { // the pane is hidden
		width, rows = p.f.Width, max(l.Body.H, 1)
	}
	t := p.selected()
	var found []task.Finding
	if t != nil {
		found = p.facts.found[t.Slug]
	}
	p.chain.build(t, found, chainLook{width, p.f.Now.YearDay(), p.f.Styles.Theme}, rows, p.f.Styles, p.f.Now)
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	v := screen.View{Context: p.context(), Body: p.body(), Status: p.status()}
	if p.selected() != nil {
		v.Beside = append(p.title(), p.chain.view(p.inside)...)
	}
	return v
}

// context returns the line above the list.
func (p *Page) context() string {
	width := p.f.Layout.Context.W
	l := render.NewLine(p.f.Styles, width).To(min(4, width/8)).PutUntil(render.Muted, render.Base(p.dir), width-1)
	if p.facts != nil && len(p.facts.All) > 0 {
		l.PutUntil(render.Faint, " · "+words.Counted(len(p.facts.All), "task", "tasks"), width-1)
	}
	return l.String()
}

// body returns the visible lines of the list, or the reason why there is no list.
func (p *Page) body() []string {
	n := screen.NewNotice(p.f.Styles, p.f.Width)
	switch {
	case p.facts == nil && p.err != nil:
		n.Error("The tasks could not be read.")
		n.Detail(screen.Sentence(p.err, p.f.Home))
		n.Detail("Press " + p.f.Key("refresh", "ctrl+r") + " to read them again.")
		return n.Lines
	case p.facts == nil && p.slow:
		n.Detail("Reading…")
		return n.Lines
	case p.facts == nil:
		return nil
	case len(p.facts.All) == 0:
		n.Heading("No tasks in " + render.Folder(p.dir, p.f.Home))
		n.Detail("A task is a directory below tasks/ with sessions and checkpoints (spec 003).")
		n.Detail("To start one: continuo task start --task NAME")
		return n.Lines
	}
	var lines []string
	for _, s := range p.rail.Visible() {
		lines = append(lines, p.rail.draw(s.Item, p.f.Layout.Body.W, p.f.Styles, p.inside)[s.From:s.To]...)
	}
	return lines
}

// title returns the lines above the pane of the selected task.
func (p *Page) title() []string {
	if p.head() == 0 {
		return nil
	}
	t, w := p.selected(), p.f.Layout.Preview.W
	verified := []render.Span{{Ink: render.Faint, Text: " chain of " + words.Count(len(t.Checkpoints)) + " verifies "}, {Ink: render.Good, Text: "✓"}}
	switch n := len(p.facts.found[t.Slug]); {
	case n > 0:
		verified = []render.Span{{Ink: render.Text, Text: " " + words.Counted(n, "finding", "findings") + " "}, {Ink: render.Bad, Text: "✗"}}
	case t.Problem != nil:
		verified = []render.Span{{Ink: render.Text, Text: " files can't be read "}, {Ink: render.Bad, Text: "✗"}}
	}
	l := render.NewLine(p.f.Styles, w).To(2)
	room := w - 2 - render.SpansWidth(verified)
	l.PutUntil(render.Strong, clean(t.Slug), room).PutUntil(render.Text, "  "+clean(t.Title), room)
	return append([]string{l.Right(w-1, verified...).String()}, make([]string, p.head()-1)...)
}

// verified returns the message about what verify has found in the selected task.
func (p *Page) verified() screen.Effect {
	t := p.selected()
	if t == nil {
		return screen.Tell{}
	}
	checked := words.Counted(len(t.Sessions), "session", "sessions") + " and " + words.Counted(len(t.Checkpoints), "checkpoint", "checkpoints")
	switch n := len(p.facts.found[t.Slug]); {
	case t.Problem != nil:
		return screen.Tell{Text: "Not all files of " + clean(t.Slug) + " can be read.", Wrong: true}
	case n > 0:
		return screen.Tell{Text: words.Counted(n, "finding", "findings") + " in " + checked + " of " + clean(t.Slug) + ".", Wrong: true}
	}
	return screen.Tell{Text: "Verified " + checked + " of " + clean(t.Slug) + "."}
}

// status draws the status line: the number of suspended tasks, and the check of the index.
func (p *Page) status() string {
	width := p.f.Width
	l := render.NewLine(p.f.Styles, width).To(1)
	t := p.selected()
	if t == nil {
		return l.String()
	}
	left := slices.DeleteFunc(slices.Clone(p.facts.All), func(t *task.Task) bool { return t.State() != string(task.Suspended) })
	text, more := clean(t.Slug)+" is "+stateWord(t.State()), ""
	if len(left) > 0 {
		t = left[0]
		l.Put(render.Warn, "△ ")
		text = words.Counted(len(left), "task is", "tasks are") + " suspended"
		if len(left) == 1 {
			text += " at " + clean(string(t.Gate()))
		}
	}
	if n := red(t.Checkpoints); n > 0 {
		more = " · " + words.Counted(n, "test", "tests") + " failed in the last run"
	}
	l.PutUntil(render.Bold, text, width-1).PutUntil(render.Muted, more+" · "+words.Ago(p.f.Now, t.Active()), width-1)
	right := p.matching()
	if p.err != nil {
		right = screen.Sentence(p.err, p.f.Home)
	}
	if room := width - 1 - l.At() - 2; room >= 12 {
		l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + words.Cut(right, room)})
	}
	return l.String()
}

// matching returns how many checkpoints of the selected task have the checksum from the index.
func (p *Page) matching() string {
	t, n := p.selected(), 0
	for _, c := range t.Checkpoints {
		if slices.ContainsFunc(t.Index.Entries, func(e task.Entry) bool { return e.ID == c.Name && e.Sum == c.Sum }) {
			n++
		}
	}
	return words.Count(n) + " of " + words.Counted(len(t.Checkpoints), "file matches", "files match") + " the index"
}

// Click implements screen.Screen. A click selects an item, and a second click opens it.
func (p *Page) Click(x, y int) []screen.Effect {
	l := &p.f.Layout
	switch {
	case p.selected() == nil:
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		was := p.inside
		p.inside = true
		i := p.chain.Item(y - l.Preview.Y - p.head())
		switch {
		case i < 0 || !p.chain.Stops(i):
		case was && i == p.chain.At:
			p.chain.fold()
		default:
			p.chain.Choose(i)
		}
	case l.Body.Has(x, y) && !l.Flipped:
		if i := p.rail.Item(y - l.Body.Y); i >= 0 && p.rail.Stops(i) {
			p.inside = !p.inside && i == p.rail.At
			p.rail.Choose(i)
			p.fit()
		}
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(x, y, rows int) []screen.Effect {
	if l := &p.f.Layout; l.Preview.H > 0 && l.Preview.Has(x, y) {
		p.chain.Scroll(rows)
	} else {
		p.rail.Scroll(rows)
		p.fit()
	}
	return nil
}
