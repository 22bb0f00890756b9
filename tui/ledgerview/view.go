package ledgerview

import (
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// applyFilter removes the blocks of entries that don't match the filter.
func (c *ledgerContent) applyFilter() {
	if c.field.Text() == "" {
		return
	}
	var left []ledgerBlock
	day, n := -1, 0
	for i := range c.blocks {
		switch b := &c.blocks[i]; {
		case b.head != "" && c.ofRecords():
			day = i
		case b.isEntry() && c.matches(b):
			if day >= 0 { // keep the heading of the day
				left = append(left, c.blocks[day])
				day = -1
			}
			left = append(left, *b)
			n++
		}
	}
	c.blocks = left
	c.none(n, "Nothing here matches “"+c.field.Text()+"”.")
	if c.ofRecords() && c.facts.logged.Left > 0 {
		c.blocks = append(c.blocks, ledgerBlock{
			note: "Only the newest " + words.Count(len(c.facts.logged.Entries)) + " records were searched: continuo trajectory --limit 0 prints all.", gap: true,
		})
	}
}

// matches reports whether an entry matches the filter.
func (c *ledgerContent) matches(b *ledgerBlock) bool {
	if b.key.kind == isRecord {
		return isOfRecord(&c.facts.logged.Entries[b.source], c.field.Text())
	}
	return match.HasWords(c.words(b), c.field.Text())
}

// canFilter reports whether the pane has entries to filter, or a filter.
func (c *ledgerContent) canFilter() bool { return c.list.Next(0, 1) >= 0 || c.field.Text() != "" }

// words returns the whole text of an entry, for the filter and the clipboard.
func (c *ledgerContent) words(b *ledgerBlock) string {
	f := c.facts
	var list []string
	switch b.key.kind {
	case isDecision:
		d := &f.decisions[b.source]
		if !d.When.IsZero() {
			list = append(list, d.When.Format(time.DateOnly))
		}
		list = append(list, d.Title, d.Decision, d.Rationale)
		for i := range d.Evidence {
			list = append(list, d.Evidence[i].Ref.String())
		}
	case isQuestion:
		list = append(list, f.questions[b.source].Text)
	case isIdentifier:
		id := &f.checked[b.source]
		list = append(list, id.Ref.String(), id.Purpose)
	case isBead:
		bead := f.beads[c.of.kind-isReady][b.source]
		list = append(list, bead.ID+"  "+bead.Title, ledgerlines.BeadText(bead))
	case isRecord:
		list = append(list, recordText(&f.logged.Entries[b.source]))
	default:
		list = append(list, b.text)
	}
	var texts []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n")
}

// compact shortens the list of decisions, so that the open questions below it are visible.
func (c *ledgerContent) compact() {
	if c.of.kind != isDecisions || c.all || c.field.Text() != "" || c.look.rows < compactFrom {
		return
	}
	last := 0 // index after the last decision
	for last < len(c.blocks) && c.blocks[last].key.kind == isDecision {
		last++
	}
	below, used := c.questionsFrom(last)
	room, n := c.look.rows-used-2, 0
	for n < last {
		if room -= c.Height(n); room < 0 {
			break
		}
		n++
	}
	if n == last || n == 0 || below == last {
		return
	}
	if c.hit.kind == isDecision && nearestKey(c.hit, last, func(i int) ledgerKey { return c.blocks[i].key }) >= n {
		return // the match wouldn't be visible in a shortened list
	}
	if c.touched && nearestKey(c.sel, last, func(i int) ledgerKey { return c.blocks[i].key }) >= n {
		c.all = true // a shortened list would hide the selected decision
		return
	}
	more := ledgerBlock{note: "… " + words.Counted(last-n, "more decision", "more decisions"), gap: true}
	blocks := append(append(append([]ledgerBlock{}, c.blocks[:n]...), more), c.blocks[last:below]...)
	c.blocks, c.lines = blocks, make([][]string, len(blocks))
}

// questionsFrom returns the index after the questions that start at first, and their height. It stops at a third of the
// pane.
func (c *ledgerContent) questionsFrom(first int) (end, rows int) {
	for end = first; end < len(c.blocks) && rows < c.look.rows/3; end++ {
		if b := &c.blocks[end]; b.head != "" && end != first || b.text != "" || b.head == writtenHead {
			break
		}
		rows += c.Height(end)
	}
	return end, rows
}

// isCompact reports whether the list of decisions is shortened.
func (c *ledgerContent) isCompact() bool {
	return c.of.kind == isDecisions && !c.all && c.facts != nil && c.field.Text() == "" && c.look.rows >= compactFrom &&
		len(c.blocks) > 0 && c.lastDecision() < len(c.facts.decisions)-1
}

// lastDecision returns the index of the last listed decision.
func (c *ledgerContent) lastDecision() int {
	n := 0
	for n < len(c.blocks) && c.blocks[n].key.kind == isDecision {
		n++
	}
	return n - 1
}

// Height implements blocks.Items.
func (c *ledgerContent) Height(i int) int {
	n := len(c.drawn(i))
	if c.blocks[i].gap {
		n++
	}
	return n
}

// drawn returns the lines of a block without the bar.
func (c *ledgerContent) drawn(i int) []string {
	if c.lines[i] == nil {
		c.lines[i] = c.draw(i, false, false)
		if c.lines[i] == nil {
			c.lines[i] = []string{}
		}
	}
	return c.lines[i]
}

func (c *ledgerContent) draw(i int, chosen, resting bool) []string {
	b, f := &c.blocks[i], c.facts
	o := ledgerlines.EntryOptions{Width: c.look.width, Styles: c.st, Now: c.now, Chosen: chosen, Resting: resting, Most: entryLines, Undated: f.undated}
	if c.open[b.key] {
		o.Most = 0
	}
	line := func() *render.Line { return render.NewLine(c.st, c.look.width) }
	left := min(2, c.look.width/8)
	switch {
	case b.key.kind == isDecision:
		return ledgerlines.DecisionLines(&f.decisions[b.source], f.Evidence, o)
	case b.key.kind == isQuestion:
		return ledgerlines.QuestionLines(&f.questions[b.source], o)
	case b.key.kind == isIdentifier:
		return ledgerlines.IdentifierLines(&f.checked[b.source], o)
	case b.key.kind == isBead:
		bead := f.beads[c.of.kind-isReady][b.source]
		o.Column = c.column
		return ledgerlines.BeadLines(bead, f.waits[bead.ID], o)
	case b.key.kind == isRecord:
		o.Column, o.Sole = c.column, c.sole
		return recordLines(&f.logged.Entries[b.source], o)
	case b.truth:
		return c.drawTruth(b)
	case b.head != "":
		return []string{line().To(left).Put(render.Strong, b.head).Put(render.Faint, " "+b.count).String()}
	case b.note != "":
		ink, glyph := render.Faint, ""
		if b.wrong {
			ink, glyph = render.Text, "✗ "
		}
		var lines []string
		for i, s := range render.Wrap(b.note, max(c.proseWidth()-len([]rune(glyph)), 1)) {
			l := line().To(left)
			if i == 0 {
				l.Put(render.BadBold, glyph)
			}
			lines = append(lines, l.To(left+len([]rune(glyph))).Put(ink, s).String())
		}
		return lines
	case b.label != "":
		return c.drawFact(b)
	}
	if text := c.texts.of(b.text, c.look); len(text) > 0 {
		return c.indented(text)
	}
	return c.drawPlain(b.text)
}

// drawFact draws the name and the value of a fact.
func (c *ledgerContent) drawFact(b *ledgerBlock) []string {
	left, column := min(2, c.look.width/8), 14
	if c.look.width < 40 {
		column = left + 2
	}
	var lines []string
	if column < 14 {
		lines = append(lines, render.NewLine(c.st, c.look.width).To(left).Put(render.Faint, b.label).String())
	}
	for i, s := range render.Wrap(ledgerlines.PlainLine(b.fact), max(c.proseWidth()-column+left, 1)) {
		l := render.NewLine(c.st, c.look.width).To(left)
		if i == 0 && column == 14 {
			l.Put(render.Faint, b.label)
		}
		lines = append(lines, l.To(column).Put(render.Text, s).String())
	}
	return lines
}

func (c *ledgerContent) proseWidth() int {
	return min(max(c.look.width-3, 1), 96)
}

// drawPlain draws a text without markdown.
func (c *ledgerContent) drawPlain(text string) []string {
	return c.indented(render.Wrap(strings.Trim(text, "\n\r"), c.proseWidth()))
}

// indented returns the lines with an indentation.
func (c *ledgerContent) indented(text []string) []string {
	left := min(2, c.look.width/8)
	lines := make([]string, len(text))
	for i, s := range text {
		lines[i] = render.NewLine(c.st, left).To(left).String() + words.Cut(s, max(c.look.width-left, 0))
	}
	return lines
}

// view returns the visible lines. focus means that the pane has the focus.
func (c *ledgerContent) view(focus bool) []string {
	var lines []string
	for _, s := range c.list.Visible() {
		text := c.drawn(s.Item)
		if s.Item == c.list.At && focus { // the bar is shown only in the focused pane
			text = c.draw(s.Item, true, false)
		} else if c.hit.kind != isNothing && c.blocks[s.Item].key == c.hit {
			text = c.draw(s.Item, true, true)
		}
		for row := s.From; row < s.To; row++ {
			k := row
			if c.blocks[s.Item].gap {
				k--
			}
			if k < 0 || k >= len(text) {
				lines = append(lines, "")
				continue
			}
			lines = append(lines, text[k])
		}
	}
	return lines
}
