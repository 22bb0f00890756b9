package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
)

// outlineWidth is what the outline takes beside what is shown, in cells.
const outlineWidth = 32

// ledgerShape is what the layout of the tab depends on.
func (m *model) ledgerShape() shape {
	p := m.ledger
	return shape{list: true, outline: true, preview: !p.alone, flip: p.inside, typing: p.typing}
}

// ledgerHead is how many rows stand over what is shown beside the outline.
func (m *model) ledgerHead() int {
	switch h := m.layout.preview.h; {
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
	p.outline.list(p.facts, m.layout.body.h, listLook{blanks: m.layout.body.h >= blankFrom, attention: attention})
	if p.facts.None {
		return
	}
	look := contentLook{
		width: m.layout.preview.w, rows: max(m.layout.preview.h-m.ledgerHead(), 0), theme: m.styles.Theme, day: m.now.YearDay(), attention: attention,
		seek: p.outline.pattern,
	}
	if look.width == 0 { // nothing of it is shown
		look.width, look.rows = m.width, max(m.layout.body.h, 1)
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
	if !m.onLedger() || p.facts == nil || m.layout.preview.h == 0 {
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
	if l := &p.outline; p.typing && !p.inside || l.pattern != "" {
		return m.patternLine(l.pattern, width)
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
func (m *model) patternLine(pattern string, width int) string {
	return render.NewLine(m.styles, width).To(min(2, width/8)).Put(render.AccentBold, "/ ").Put(render.Accent, pattern).String()
}

// ledgerOutline are the lines of the outline that are seen.
func (m *model) ledgerOutline() []string {
	p, r := m.ledger, m.layout.body
	switch {
	case p.facts == nil && p.err != nil:
		n := m.notice(m.width)
		n.error("The ledger could not be read.")
		n.detail(m.sentence(p.err))
		n.detail(m.keyOf("refresh") + " looks again.")
		return n.lines
	case p.facts == nil && p.slow:
		n := m.notice(m.width)
		n.detail("Reading…")
		return n.lines
	case p.facts == nil:
		return nil
	case p.facts.None:
		return m.noLedger()
	}
	var lines []string
	for _, s := range p.outline.win.visible(len(p.outline.items), r.h, oneRow) {
		lines = append(lines, m.outlineRow(s.item, r.w))
	}
	if len(p.outline.items) == 0 {
		n := m.notice(r.w)
		n.left = min(4, r.w/8)
		n.detail("Nothing here has “" + p.outline.pattern + "”. esc clears.")
		return n.lines
	}
	return lines
}

// noLedger says that there is none, and what to do.
func (m *model) noLedger() []string {
	p := m.ledger
	n := m.notice(m.width)
	n.heading("There is no NOTES.md in " + render.Folder(p.root(), m.opts.Home))
	if m.Changes != nil {
		n.detail(m.keyIn(inLedger, "note") + " adds a decision, a question or a next step, and makes it.")
	}
	n.detail(m.keyIn(inLedger, "recover-1") + " recovers the best of what else there is: documents, backups, the last session.")
	return n.lines
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
	p, w := m.ledger, m.layout.preview.w
	c := &p.content
	if p.facts == nil || p.facts.None {
		return nil
	}
	var lines []string
	if head := m.ledgerHead(); head > 0 {
		if p.typing && p.inside || c.pattern != "" {
			lines = append(lines, m.patternLine(c.pattern, w)+render.NewLine(m.styles, max(w-8, 0)).Put(render.Faint, c.recordTerms()).String())
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
func (m *model) drawLedgerTab(set func(r rect, line string), pane func(r rect, text []string), lines []string) {
	l, p := m.layout, m.ledger
	empty := p.facts == nil || p.facts.None
	if l.flipped && !empty {
		pane(l.preview, m.ledgerContentLines())
		return
	}
	set(l.context, m.ledgerContext(l.context.w))
	if empty { // nothing stands beside it
		l.body.w = m.width
		pane(l.body, m.ledgerOutline())
		return
	}
	pane(l.body, m.ledgerOutline())
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
		l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + render.Cut(right, room)})
	}
}

// clickLedger puts the bar on what is clicked, and opens it at the second click.
func (m *model) clickLedger(x, y int) tea.Cmd {
	l, p := m.layout, m.ledger
	if p.facts == nil || p.facts.None {
		return nil
	}
	switch {
	case l.preview.h > 0 && l.preview.has(x, y):
		was := p.inside
		p.inside = true
		i := p.content.blockAt(y - l.preview.y - m.ledgerHead())
		if i < 0 || y < l.preview.y+m.ledgerHead() || !p.content.blocks[i].isEntry() {
			return nil
		}
		if was && i == p.content.at {
			return m.enterEntry()
		}
		p.content.choose(i)
	case l.body.has(x, y) && !l.flipped:
		i := y - l.body.y + p.outline.win.top
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
