package render

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// Options say how messages are drawn.
type Options struct {
	Width  int // cells a line may take
	Left   int // column of the glyphs; the text stands two further right
	Styles *Styles
	Zone   *time.Location // of the times shown; nil is UTC
	Dir    string         // paths below it are shown relative to it, "" none
	Home   string         // shown as ~, "" none
	Unfold bool           // thinking, summaries and notices in full instead of one line

	// Markdown renders the text of an answer into lines: prose of at most the first width, code of at most the
	// second. nil lines: leave it plain. A nil func leaves all text plain.
	Markdown func(text string, prose, code int) []string

	// Folds says how far the block of the message that is drawn is open; nil: all are shut. -1 asks for a message
	// that is one line as a whole: a notice, a summary.
	Folds func(block int) Fold
	// Blocks renders the text of a block of an answer, in the place of Markdown: it may look into a cache.
	Blocks func(block int, text string, prose, code int) []string
}

const (
	maxProse   = 96 // cells: longer lines are hard to read
	timeWidth  = 8  // "14:02" and the blanks before it
	timesFrom  = 64 // cells: narrower there are no times
	targetFrom = 9  // cells from the text to the target of a tool line
)

// Ending is how a message ends: it decides whether a blank line stands before the next one.
type Ending uint8

// The endings.
const (
	Start  Ending = iota // nothing stands before
	Prose                // ended in text
	Folded               // ended in a folded line; folded lines stand together
)

// page collects the lines of messages.
type page struct {
	o     Options
	lines []string
	last  Ending
	stamp string // the time, until it has been shown
}

// Message draws one message after one that ended as given. There is at least one line.
func Message(m *transcript.Message, after Ending, o Options) []string {
	if o.Styles == nil {
		o.Styles = NewStyles(None)
	}
	p := page{o: o, last: after}
	if o.Width >= timesFrom && !m.Time.IsZero() {
		zone := o.Zone
		if zone == nil {
			zone = time.UTC
		}
		p.stamp = m.Time.In(zone).Format("15:04")
	}
	if m.Gap && after != Start {
		p.mark(Warn, "△", "What came before this is not in the file.")
	}
	if m.Err != "" {
		p.mark(Bad, "✗", "A part of this could not be read: "+transcript.CleanLine(m.Err))
	}
	p.blocks(m)
	if len(p.lines) == 0 {
		p.fold("Empty message", nil, nil)
	}
	return p.lines
}

// End says how a message ends, without drawing it.
func End(m *transcript.Message) Ending {
	switch m.Kind {
	case transcript.Notice, transcript.System, transcript.Summary:
		return Folded
	case transcript.Boundary:
		return Prose
	case transcript.Prompt, transcript.Answer:
	}
	for i := len(m.Blocks) - 1; i >= 0; i-- {
		switch b := &m.Blocks[i]; {
		case b.Kind == transcript.BlockText && !isBlank(b.Text):
			return Prose
		case b.Kind == transcript.BlockText || b.Kind == transcript.BlockToolResult && answers(m, b.CallID):
			continue
		}
		return Folded
	}
	if m.Err != "" {
		return Prose
	}
	return Folded
}

// Lines draws messages one after the other and says how the last one ended, for the next call.
func Lines(msgs []transcript.Message, after Ending, o Options) ([]string, Ending) {
	var lines []string
	for i := range msgs {
		lines = append(lines, Message(&msgs[i], after, o)...)
		after = End(&msgs[i])
	}
	return lines, after
}

// ThreadHeading draws the line that a thread other than the main one begins with. A blank line before it is
// part of it.
func ThreadHeading(t *transcript.Thread, o Options) []string {
	if o.Styles == nil {
		o.Styles = NewStyles(None)
	}
	glyph, note := Span{Warn, "◇"}, "resume would not show it"
	switch t.Kind {
	case transcript.Main:
		return nil
	case transcript.Sidechain:
		glyph, note = Span{Faint, "▸"}, "a sub-agent"
	case transcript.Branch:
	}
	l := NewLine(o.Styles, o.Width).To(o.Left).Spans(glyph, Span{Text, " "})
	l.Put(Heading, firstUpper(transcript.CleanLine(t.Name))).Put(Faint, " · ")
	l.Put(Muted, Counted(len(t.Messages), "message", "messages")).Put(Faint, " · "+note)
	return []string{"", l.String()}
}

// text is the column that text starts at.
func (p *page) text() int { return p.o.Left + 2 }

// prose is the width of running text: it leaves room for the times, so that all lines end alike.
func (p *page) prose() int {
	w := p.o.Width - p.text()
	if p.o.Width >= timesFrom {
		w -= timeWidth
	}
	return max(min(w, maxProse), 1)
}

// before puts the blank line between what stands there and the next thing.
func (p *page) before(next Ending) {
	if p.last != Start && (p.last != Folded || next != Folded) {
		p.lines = append(p.lines, "")
	}
	p.last = next
}

func (p *page) line() *Line { return NewLine(p.o.Styles, p.o.Width) }

// blocks draws the content by the kind of the message.
func (p *page) blocks(m *transcript.Message) {
	switch m.Kind {
	case transcript.Prompt:
		p.prompt(m)
	case transcript.Notice:
		p.aside("", allText(m), m)
	case transcript.System:
		p.aside("", allText(m), m)
	case transcript.Summary:
		text := allText(m)
		p.aside("Summary", text, m, Span{Faint, Counted(len(strings.Fields(text)), "word", "words")})
	case transcript.Boundary:
		p.boundary(m)
	case transcript.Answer:
		for i := range m.Blocks {
			p.block(m, &m.Blocks[i])
		}
	}
}

// prompt draws what the person wrote: the only bold paragraph there is, so prompts can be skimmed alone.
func (p *page) prompt(m *transcript.Message) {
	first := true
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != transcript.BlockText {
			p.block(m, b)
			continue
		}
		text := commandText(b.Text)
		if isBlank(text) {
			continue
		}
		glyph := Span{}
		if first {
			glyph = Span{AccentBold, "❯"}
		}
		first = false
		p.paragraph(glyph, Strong, Wrap(text, p.prose()))
	}
}

// paragraph draws lines of running text, with the time at the right of the first.
func (p *page) paragraph(glyph Span, ink Ink, lines []string) {
	p.before(Prose)
	for i, text := range lines {
		l := p.line()
		if i == 0 && glyph.Text != "" {
			l.To(p.o.Left).Spans(glyph)
		}
		if text != "" {
			l.To(p.text())
			p.putStyled(l, ink, text)
		}
		if i == 0 && p.stamp != "" && l.at < p.o.Width-len(p.stamp) {
			l.Right(p.o.Width, Span{Faint, p.stamp})
			p.stamp = ""
		}
		p.lines = append(p.lines, l.String())
	}
}

// putStyled appends text that may bring its own styles, as markdown does.
func (p *page) putStyled(l *Line, ink Ink, text string) {
	if strings.Contains(text, "\x1b") {
		text = Cut(text, l.width-l.at)
		l.b.WriteString(text)
		l.at += ansi.StringWidth(text)
		return
	}
	l.Put(ink, text)
}

func (p *page) block(m *transcript.Message, b *transcript.Block) {
	switch b.Kind {
	case transcript.BlockText:
		if !isBlank(b.Text) {
			p.paragraph(Span{}, Text, p.answer(b.Text))
		}
	case transcript.BlockThinking:
		p.aside("Thought", b.Text, nil)
	case transcript.BlockToolUse:
		p.call(m, b)
	case transcript.BlockToolResult:
		if !answers(m, b.CallID) {
			p.fold("Result", []Span{{Muted, "of a call that is not here"}}, resultSpans(b))
		}
	case transcript.BlockImage, transcript.BlockDocument:
		p.media(b)
	case transcript.BlockUnknown:
		if m.Kind == transcript.System && len(b.Raw) == 0 && b.Name != "" { // a record without words, by its subtype
			p.foldFaint(strings.ReplaceAll(transcript.CleanLine(b.Name), "_", " "))
			return
		}
		p.fold("unknown block "+unknownType(b), nil, sizeSpans(int64(len(b.Raw))))
	default:
		p.fold("unknown block "+transcript.CleanLine(string(b.Kind)), nil, nil)
	}
}

// answer returns the lines of an answer's text, through markdown where there is one.
func (p *page) answer(text string) []string {
	if p.o.Markdown != nil {
		if lines := p.o.Markdown(text, p.prose(), max(p.o.Width-p.text(), 1)); lines != nil {
			return lines
		}
	}
	return Wrap(text, p.prose())
}

// boundary draws where the context was compacted: the glyph, words, and the line to the right edge.
func (p *page) boundary(m *transcript.Message) {
	p.before(Prose)
	l := p.line().To(p.o.Left).Put(Muted, "≡ ")
	text := transcript.CleanLine(allText(m))
	if text == "" {
		text = "Compacted"
	}
	end := p.o.Width
	if p.stamp != "" {
		end -= len(p.stamp) + 1
	}
	l.PutUntil(Muted, text, end-2).Put(Rule, " ")
	if n := end - l.at; n > 0 {
		l.Put(Rule, strings.Repeat("─", n))
	}
	if p.stamp != "" {
		l.Put(Rule, " ").Put(Faint, p.stamp)
	}
	p.lines = append(p.lines, l.String())
}

// aside draws what is not the conversation itself as one faint folded line, or in full when unfolded.
func (p *page) aside(verb, text string, m *transcript.Message, right ...Span) {
	text = untag(commandText(text))
	first := transcript.CleanLine(head(text, 4*p.o.Width))
	if p.o.Unfold && first != "" {
		if verb != "" {
			p.fold(verb, nil, right)
		}
		p.before(Folded)
		left := p.text()
		if verb != "" {
			left += 2
		}
		for _, line := range Wrap(text, max(p.prose()-2, 1)) {
			p.lines = append(p.lines, p.line().To(left).Put(Faint, line).String())
		}
	} else {
		switch {
		case verb == "" && first == "" && m != nil && len(m.Blocks) > 0: // the blocks below say what it is
		case verb == "" && first == "":
			p.fold("Empty", nil, right)
		case verb == "":
			p.foldFaint(first)
		case first == "" || len(right) > 0:
			p.fold(verb, nil, right)
		default:
			p.fold(verb, []Span{{Thought, first}}, right)
		}
	}
	if m == nil {
		return
	}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind != transcript.BlockText {
			p.block(m, b)
		}
	}
}

// mark draws a line about the file itself.
func (p *page) mark(ink Ink, glyph, text string) {
	p.before(Prose)
	for i, line := range Wrap(text, p.prose()) {
		l := p.line()
		if i == 0 {
			l.To(p.o.Left).Put(ink, glyph)
		}
		p.lines = append(p.lines, l.To(p.text()).Put(ink, line).String())
	}
}

// answers reports whether the message has the call that a result belongs to.
func answers(m *transcript.Message, call string) bool {
	for i := range m.Blocks {
		if m.Blocks[i].Kind == transcript.BlockToolUse && m.Blocks[i].ID == call {
			return true
		}
	}
	return false
}

func allText(m *transcript.Message) string {
	var parts []string
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockText && !isBlank(b.Text) {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// head returns at most about n bytes of the text: a folded line needs no more of a long one.
func head(s string, n int) string {
	if n = max(n, 64) * 4; len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// FirstLine is the first text of a message on one clean line of about width cells at least.
func FirstLine(m *transcript.Message, width int) string {
	return transcript.CleanLine(head(strings.TrimSpace(commandText(allText(m))), width))
}
