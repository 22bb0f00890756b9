package render

import (
	"html"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// isAside reports whether the text of a message is not the conversation itself: it is one line, until it is opened.
func isAside(m *transcript.Message) bool {
	switch m.Kind {
	case transcript.Notice, transcript.System, transcript.Summary:
		return true
	case transcript.Prompt, transcript.Answer, transcript.Boundary:
	}
	return false
}

// asideText is the text of an aside without the tags around it.
func asideText(m *transcript.Message) string { return untag(commandText(allText(m))) }

// aside draws what is not the conversation itself, and below it the blocks that are no text.
func (p *page) aside(m *transcript.Message) {
	text := asideText(m)
	switch {
	case m.Kind == transcript.Summary:
		p.summary(text)
	case !isBlank(text):
		p.notice(text)
	case len(m.Blocks) == 0:
		p.fixed(-1, "Empty", nil, nil)
	}
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockText {
			p.block(m, i)
		}
	}
}

// firstLine is what a shut line has room for of a text.
func (p *page) firstLine(text string) string {
	if line := transcript.CleanLine(head(text, 4*p.o.Width)); line != "" || isBlank(text) {
		return line
	}
	return "…" // whatever it is, it is behind a long run of blanks or controls
}

// gist is what one line says of a text of the machine: what a notification sums itself up with, and nothing of the
// tags that the client wraps its parts in (client 2.1.329).
func gist(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return text
	}
	if summary, ok := between(head(text, 1<<10), "<summary>", "</summary>"); ok && !isBlank(summary) {
		return html.UnescapeString(summary)
	}
	var b strings.Builder
	for rest := head(text, 1<<10); ; {
		before, tag, ok := strings.Cut(rest, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		name, after, ok := strings.Cut(tag, ">")
		if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-/") != "" {
			b.WriteByte('<')
			rest = tag
			continue
		}
		b.WriteByte(' ')
		rest = after
	}
	if isBlank(b.String()) {
		return text
	}
	return b.String()
}

// notice draws a text without a verb. Open, its first line takes the place of the shut one.
func (p *page) notice(text string) {
	fold := p.o.fold(-1)
	if fold == Shut && p.o.Unfold {
		p.unfolded("", text, nil)
		return
	}
	if fold == Shut {
		p.faint(-1, fold, p.firstLine(gist(text)))
		return
	}
	p.before(Prose)
	from := len(p.lines)
	b := p.body(fold, p.text()+2, false)
	b.mark = "▾"
	b.text(Muted, text, openRows)
	b.end(-1, from)
}

// faint draws one line that is only words.
func (p *page) faint(block int, fold Fold, text string) {
	p.before(Folded)
	from := len(p.lines)
	p.lines = append(p.lines, p.line().To(p.text()).Put(Faint, "▸ "+text).String())
	p.add(block, from, fold, false)
}

// summary draws what a compaction put in the place of what was before.
func (p *page) summary(text string) {
	right := []Span{{Faint, Counted(len(strings.Fields(text)), "word", "words")}}
	fold := p.o.fold(-1)
	if fold == Shut && p.o.Unfold && !isBlank(text) {
		p.unfolded("Summary", text, right)
		return
	}
	p.before(ending(fold))
	from := len(p.lines)
	p.head(fold, "Summary", nil, right)
	p.words(-1, from, fold, Muted, text)
}

// thought draws what the assistant thought: its first words, or all of it in italics.
func (p *page) thought(block int, b *transcript.Block) {
	fold := p.o.fold(block)
	if fold == Shut && p.o.Unfold && !isBlank(b.Text) {
		p.unfolded("Thought", b.Text, nil)
		p.parts[len(p.parts)-1].Block = block
		return
	}
	p.before(ending(fold))
	from := len(p.lines)
	var target []Span
	if fold == Shut && !isBlank(b.Text) {
		target = []Span{{Thought, p.firstLine(b.Text)}}
	}
	p.head(fold, "Thought", target, nil)
	p.words(block, from, fold, Thought, b.Text)
}

// words draws running text below a head that begins at the line from, when it is open.
func (p *page) words(block, from int, fold Fold, ink Ink, text string) {
	if fold == Shut {
		p.add(block, from, fold, false)
		return
	}
	b := p.body(fold, p.text()+4, false)
	b.text(ink, text, openRows)
	b.end(block, from)
}

// unfolded draws an aside in full for print: shut in name only, so nothing stands between it and the next one.
func (p *page) unfolded(verb, text string, right []Span) {
	p.before(Folded)
	from, left := len(p.lines), p.text()
	if verb != "" {
		p.head(Shut, verb, nil, right)
		left += 2
	}
	for _, line := range Wrap(text, max(p.prose()-2, 1)) {
		p.lines = append(p.lines, p.line().To(left).Put(Faint, line).String())
	}
	p.add(-1, from, Whole, false)
}
