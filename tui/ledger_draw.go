package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// outlineWidth is what the outline takes beside what is shown, in cells.
const outlineWidth = 32

// ledgerShape is what the layout of the tab depends on.
func (m *model) ledgerShape() screen.Shape {
	p := m.ledger
	return screen.Shape{List: true, Outline: true, Preview: !p.alone, Flip: p.inside, Typing: p.typing}
}

// ledgerHead is how many rows stand over what is shown beside the outline.
func (m *model) ledgerHead() int {
	switch h := m.layout.Preview.H; {
	case h < 4:
		return 0
	case m.height >= 30:
		return 2
	}
	return 1
}

// drawLedger fits both panes to what there is.
func (m *model) drawLedger() {
	p := m.ledger
	if p == nil || !m.onLedger() || m.width <= 0 {
		return
	}
	if p.facts == nil {
		return
	}
	attention := m.ledgerAttention()
	p.outline.list(p.facts, m.layout.Body.H, listLook{blanks: m.layout.Body.H >= blankFrom, attention: attention})
	if p.facts.None {
		return
	}
	look := contentLook{
		width: m.layout.Preview.W, rows: max(m.layout.Preview.H-m.ledgerHead(), 0), theme: m.styles.Theme, day: m.now.YearDay(), attention: attention,
		seek: p.outline.field.Text(),
	}
	if look.width == 0 { // nothing of it is shown
		look.width, look.rows = m.width, max(m.layout.Body.H, 1)
	}
	p.content.session = ""
	if row := m.attentiveSession(); row != nil {
		p.content.session = render.Title(row)
	}
	p.content.build(p.outline.selected(), p.facts, look, m.styles, m.now)
}

// ledgerWants asks for the texts that are seen to be rendered.
func (m *model) ledgerWants() tea.Cmd {
	p := m.ledger
	if !m.onLedger() || p.facts == nil || m.layout.Preview.H == 0 {
		return nil
	}
	texts := p.content.wants()
	if len(texts) == 0 {
		return nil
	}
	p.content.texts.busy = true
	prose, styles := m.prose, m.styles
	return drawTexts(p.ctx, p.gen, texts, p.content.look, p.content.proseWidth(), func(text string, w, code int) []string {
		return prose(text, w, code, styles)
	})
}

// ledgerContext is the line above the outline: which project, and where its ledger is.
func (m *model) ledgerContext(width int) string {
	p := m.ledger
	if l := &p.outline; p.typing && !p.inside || l.field.Text() != "" {
		return m.patternLine(&l.field, width)
	}
	l := render.NewLine(m.styles, width).To(min(4, width/8))
	name, dir := p.where()
	l.PutUntil(render.Muted, name, width-1)
	if dir != "" && dir != "." && l.At()+8 < width {
		l.PutUntil(render.Faint, " · "+dir, width-1)
	}
	return l.String()
}

// patternLine is the field of a filter.
func (m *model) patternLine(in *field.Field, width int) string {
	typed, _ := in.Seen(max(width-5, 1))
	return render.NewLine(m.styles, width).To(min(2, width/8)).Put(render.AccentBold, "/ ").Put(render.Accent, typed).String()
}

// ledgerOutline are the lines of the outline that are seen.
func (m *model) ledgerOutline() []string {
	p, r := m.ledger, m.layout.Body
	switch {
	case p.facts == nil && p.err != nil:
		n := m.notice(m.width)
		n.Error("The ledger could not be read.")
		n.Detail(m.sentence(p.err))
		n.Detail(m.keyOf("refresh") + " looks again.")
		return n.Lines
	case p.facts == nil && p.slow:
		n := m.notice(m.width)
		n.Detail("Reading…")
		return n.Lines
	case p.facts == nil:
		return nil
	case p.facts.None:
		return m.noLedger()
	}
	var lines []string
	for _, s := range p.outline.win.Visible(len(p.outline.items), r.H, blocks.OneRow) {
		lines = append(lines, m.outlineRow(s.Item, r.W))
	}
	if len(p.outline.items) == 0 {
		n := m.notice(r.W)
		n.Left = min(4, r.W/8)
		n.Detail("Nothing here has “" + p.outline.field.Text() + "”. esc clears.")
		return n.Lines
	}
	return lines
}

// noLedger says that there is none, and what to do.
func (m *model) noLedger() []string {
	p := m.ledger
	n := m.notice(m.width)
	n.Heading("There is no NOTES.md in " + render.Folder(p.root(), m.opts.Home))
	if m.Changes != nil {
		n.Detail(m.keyIn(inLedger, "note") + " adds a decision, a question or a next step, and makes it.")
	}
	n.Detail(m.keyIn(inLedger, "recover-1") + " recovers the best of what else there is: documents, backups, the last session.")
	return n.Lines
}

// outlineRow draws a line of the outline.
func (m *model) outlineRow(i, width int) string {
	p := m.ledger
	it := &p.outline.items[i]
	l := render.NewLine(m.styles, width)
	if !it.isStop() && !it.head && it.all == 0 {
		return ""
	}
	left := min(4, width/8)
	if it.head {
		return l.To(left).PutUntil(render.Heading, it.name, width-1).String()
	}
	if it.all > 0 {
		return l.To(left).GaugeIn(attentionInk(it.name), int(min(it.used, it.all)), int(it.all), max(width-left-1, 1)).String()
	}
	ink, chosen := render.Text, i == p.outline.at
	switch {
	case chosen && p.inside:
		l.Put(render.Muted, "│")
		ink = render.Strong
	case chosen:
		l.Select(true).Put(render.AccentBold, "▌")
		ink = render.Strong
	}
	var right []render.Span
	if it.count != "" {
		right = append(right, render.Span{Ink: render.Faint, Text: " " + it.count})
	}
	if it.bad != "" {
		right = append(right, render.Span{Ink: render.Bad, Text: " " + it.bad})
	}
	name, room := it.name, width-1-render.SpansWidth(right)
	if l.To(left + 2*it.depth); it.short != "" && ansi.StringWidth(name) > room-l.At() {
		name = it.short
	}
	l.PutUntil(ink, name, room)
	l.Right(width-1, right...)
	if chosen && !p.inside {
		l.To(width)
	}
	return l.String()
}

// ledgerContentLines are the lines of what is shown beside the outline.
func (m *model) ledgerContentLines() []string {
	p, w := m.ledger, m.layout.Preview.W
	c := &p.content
	if p.facts == nil || p.facts.None {
		return nil
	}
	var lines []string
	if head := m.ledgerHead(); head > 0 {
		if p.typing && p.inside || c.field.Text() != "" {
			lines = append(lines, m.patternLine(&c.field, w)+render.NewLine(m.styles, max(w-8, 0)).Put(render.Faint, c.recordTerms()).String())
		} else {
			l := render.NewLine(m.styles, w).To(min(2, w/8))
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

// drawLedgerTab puts both panes on the screen.
func (m *model) drawLedgerTab(set func(r screen.Rect, line string), pane func(r screen.Rect, text []string), lines []string) {
	l, p := m.layout, m.ledger
	empty := p.facts == nil || p.facts.None
	if l.Flipped && !empty {
		pane(l.Preview, m.ledgerContentLines())
		return
	}
	set(l.Context, m.ledgerContext(l.Context.W))
	if empty { // nothing stands beside it
		l.Body.W = m.width
		pane(l.Body, m.ledgerOutline())
		return
	}
	pane(l.Body, m.ledgerOutline())
	m.besidePane(lines, m.ledgerContentLines(), false) // the bars say where the keys act
}

// ledgerStatus draws how the identifiers are, and when they were looked at.
func (m *model) ledgerStatus(l *render.Line, width int) {
	f := m.ledger.facts
	if f == nil {
		return
	}
	right := "checked " + render.Ago(m.now, m.ledger.at)
	if m.ledger.err != nil {
		right = m.sentence(m.ledger.err)
	}
	glyph, said, more := f.words()
	l.Spans(glyph).PutUntil(render.Bold, said, width-1).PutUntil(render.Muted, more, width-1)
	if room := width - 1 - l.At() - 2; room >= 12 {
		l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + words.Cut(right, room)})
	}
}

// clickLedger puts the bar on what is clicked, and opens it at the second click.
func (m *model) clickLedger(x, y int) tea.Cmd {
	l, p := m.layout, m.ledger
	if p.facts == nil || p.facts.None {
		return nil
	}
	switch {
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		was := p.inside
		p.inside = true
		i := p.content.blockAt(y - l.Preview.Y - m.ledgerHead())
		if i < 0 || y < l.Preview.Y+m.ledgerHead() || !p.content.blocks[i].isEntry() {
			return nil
		}
		if was && i == p.content.at {
			return m.enterEntry()
		}
		p.content.choose(i)
	case l.Body.Has(x, y) && !l.Flipped:
		i := y - l.Body.Y + p.outline.win.Top
		again := !p.inside && i == p.outline.at
		p.inside = false
		if p.outline.choose(i) {
			m.drawLedger()
			if again {
				return m.goInside()
			}
		}
	}
	return nil
}

// copied text has the name of what it is.
func (m *model) ledgerText() (name, text string) {
	p := m.ledger
	if p.facts == nil {
		return "", ""
	}
	if c := &p.content; p.inside && c.at >= 0 {
		return "the entry", c.words(&c.blocks[c.at])
	}
	it := p.outline.selected()
	switch {
	case it == nil:
		return "", ""
	case it.section >= 0:
		return "the section", strings.TrimSpace(string(p.facts.Notes.Markdown(it.section)))
	}
	var parts []string
	for i := range p.content.blocks {
		if b := &p.content.blocks[i]; b.isEntry() || b.text != "" {
			parts = append(parts, strings.TrimSpace(p.content.words(b)))
		}
	}
	return "what is shown", strings.Join(parts, "\n\n")
}
