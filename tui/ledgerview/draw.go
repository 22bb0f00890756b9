package ledgerview

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape {
	return screen.Shape{List: true, Outline: true, Preview: !p.alone, Flip: p.inside, Typing: p.typing}
}

// head returns the number of rows above the content pane.
func (p *Page) head() int {
	switch h := p.f.Layout.Preview.H; {
	case h < 4:
		return 0
	case p.f.Height >= 30:
		return 2
	}
	return 1
}

// Fit implements screen.Screen. It starts to render the visible markdown.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	if p.f.Front = f.Front; !f.Front { // the layout belongs to the screen in front
		return nil
	}
	p.f = f
	p.fit()
	if p.facts == nil || f.Layout.Preview.H == 0 {
		return nil
	}
	texts := p.content.wants()
	if len(texts) == 0 {
		return nil
	}
	p.content.texts.busy = true
	prose, styles := p.opts.Prose, f.Styles
	return []screen.Effect{screen.Cmd(drawTexts(p.ctx, p.gen, texts, p.content.look, p.content.proseWidth(), func(text string, w, code int) []string {
		return prose(text, w, code, styles)
	}))}
}

// fit adapts the outline and the content pane to the frame.
func (p *Page) fit() {
	if p.facts == nil || p.f.Width <= 0 {
		return
	}
	l, attention := &p.f.Layout, p.attention()
	p.outline.list(p.facts, l.Body.H, listLook{blanks: l.Body.H >= screen.BlankFrom, attention: attention})
	if p.facts.None {
		return
	}
	look := contentLook{
		width: l.Preview.W, rows: max(l.Preview.H-p.head(), 0), theme: p.f.Styles.Theme, day: p.f.Now.YearDay(), attention: attention,
		seek: p.outline.field.Text(), heal: p.healWords(),
	}
	if look.width == 0 { // the pane is hidden
		look.width, look.rows = p.f.Width, max(l.Body.H, 1)
	}
	p.content.session = ""
	if row := p.attentiveSession(); row != nil {
		p.content.session = render.Title(row)
	}
	p.content.build(p.outline.selected(), p.facts, look, p.f.Styles, p.f.Now)
}

// context returns the line above the outline: the project and the directory of NOTES.md.
func (p *Page) context(width int) string {
	if l := &p.outline; p.typing && !p.inside || l.field.Text() != "" {
		return patternLine(p.f.Styles, &l.field, width)
	}
	l := render.NewLine(p.f.Styles, width).To(min(4, width/8))
	name, dir := p.where()
	l.PutUntil(render.Muted, name, width-1)
	if dir != "" && dir != "." && l.At()+8 < width {
		l.PutUntil(render.Faint, " · "+dir, width-1)
	}
	return l.String()
}

func patternLine(st *render.Styles, in *field.Field, width int) string {
	typed, _ := in.Seen(max(width-5, 1))
	return render.NewLine(st, width).To(min(2, width/8)).Put(render.AccentBold, "/ ").Put(render.Accent, typed).String()
}

func (p *Page) outlineLines() []string {
	r := p.f.Layout.Body
	switch {
	case p.facts == nil && p.err != nil:
		n := screen.NewNotice(p.f.Styles, p.f.Width)
		n.Error("The ledger could not be read.")
		n.Detail(screen.Sentence(p.err, p.f.Home))
		n.Detail("Press " + p.f.Key("refresh", "ctrl+r") + " to read it again.")
		return n.Lines
	case p.facts == nil && p.slow:
		n := screen.NewNotice(p.f.Styles, p.f.Width)
		n.Detail("Reading…")
		return n.Lines
	case p.facts == nil:
		return nil
	case p.facts.None:
		return p.noLedger()
	}
	var lines []string
	for _, s := range p.outline.Visible() {
		lines = append(lines, p.outline.row(s.Item, r.W, p.inside, p.f.Styles))
	}
	if len(p.outline.items) == 0 {
		n := screen.NewNotice(p.f.Styles, r.W)
		n.Left = min(4, r.W/8)
		n.Detail("Nothing here matches “" + p.outline.field.Text() + "”. Press esc to clear the filter.")
		return n.Lines
	}
	return lines
}

// noLedger returns the lines for a project without a ledger.
func (p *Page) noLedger() []string {
	n := screen.NewNotice(p.f.Styles, p.f.Width)
	n.Heading("There is no NOTES.md in " + render.Folder(p.root(), p.f.Home))
	for _, part := range p.facts.Missing {
		n.Detail(part)
	}
	if p.isMissing() {
		n.Detail(p.healWords())
	}
	if p.opts.CanChange {
		n.Detail("Press " + p.f.Key("note", "N") + " to add a decision, a question or a next step. This creates NOTES.md.")
	}
	n.Detail("Press " + p.f.Key("recover-1", "1") + " to recover from other sources: documents, backups, the last session.")
	return n.Lines
}

// healWords returns a sentence about how to restore the missing parts.
func (p *Page) healWords() string {
	if p.opts.CanChange {
		return p.f.Key(heal, "H") + " shows a plan to restore the missing parts."
	}
	return "continuo heal restores the missing parts."
}

// contentLines returns the visible lines of the content pane.
func (p *Page) contentLines() []string {
	w := p.f.Layout.Preview.W
	c := &p.content
	if p.facts == nil || p.facts.None {
		return nil
	}
	var lines []string
	if head := p.head(); head > 0 {
		if p.typing && p.inside || c.field.Text() != "" {
			lines = append(lines, patternLine(p.f.Styles, &c.field, w)+render.NewLine(p.f.Styles, max(w-8, 0)).Put(render.Faint, c.recordTerms()).String())
		} else {
			l := render.NewLine(p.f.Styles, w).To(min(2, w/8))
			room := w - 1
			if ansi.StringWidth(c.right)+20 < w {
				room -= ansi.StringWidth(c.right) + 2
			}
			for _, s := range c.title {
				l.PutUntil(s.Ink, s.Text, room)
			}
			lines = append(lines, l.Right(w-1, render.Span{Ink: render.Faint, Text: " " + c.right}).String())
		}
		for len(lines) < head {
			lines = append(lines, "")
		}
	}
	return append(lines, c.view(p.inside)...)
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	l := &p.f.Layout
	v := screen.View{Context: p.context(l.Context.W), Body: p.outlineLines(), Status: p.status()}
	if p.facts != nil && !p.facts.None { // without a ledger, there is only one pane
		v.Beside = p.contentLines()
	}
	return v
}

// status draws the summary of the checked code references, and when they were checked.
func (p *Page) status() string {
	width := p.f.Width
	l := render.NewLine(p.f.Styles, width).To(1)
	f := p.facts
	if f == nil {
		return l.String()
	}
	right := "checked " + words.Ago(p.f.Now, p.at)
	if p.err != nil {
		right = screen.Sentence(p.err, p.f.Home)
	}
	glyph, text, more := f.words()
	l.Spans(glyph).PutUntil(render.Bold, text, width-1).PutUntil(render.Muted, more, width-1)
	if room := width - 1 - l.At() - 2; room >= 12 {
		l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + words.Cut(right, room)})
	}
	return l.String()
}

// Cursor implements screen.Cursored.
func (p *Page) Cursor() (x, y int, ok bool) {
	if !p.typing {
		return 0, 0, false
	}
	r := p.f.Layout.Context
	if p.inside {
		r = p.f.Layout.Preview
		r.H = p.head()
	}
	_, before := p.field().Seen(max(r.W-5, 1))
	return r.X + min(4+before, r.W-1), r.Y, r.H > 0
}

// Click implements screen.Screen. A click selects an item, and a second click opens it.
func (p *Page) Click(x, y int) []screen.Effect {
	l := &p.f.Layout
	if p.facts == nil || p.facts.None {
		return nil
	}
	switch {
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		was := p.inside
		p.inside = true
		i := p.content.list.Item(y - l.Preview.Y - p.head())
		if i < 0 || !p.content.blocks[i].isEntry() {
			return nil
		}
		if was && i == p.content.list.At {
			return p.enterEntry()
		}
		p.content.list.Choose(i)
	case l.Body.Has(x, y) && !l.Flipped:
		i := p.outline.Item(y - l.Body.Y)
		again := !p.inside && i == p.outline.At
		p.inside = false
		if i < 0 || !p.outline.Stops(i) {
			return nil
		}
		p.outline.Choose(i)
		p.fit()
		if again {
			p.goInside()
		}
	}
	return nil
}
