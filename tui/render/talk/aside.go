package talk

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// isAside reports whether a message isn't a part of the conversation, such as a notice of the client. An aside is one
// line until it is opened.
func isAside(m *transcript.Message) bool {
	switch m.Kind {
	case transcript.Notice, transcript.System, transcript.Summary:
		return true
	case transcript.Prompt:
		return isCommand(m)
	case transcript.Answer, transcript.Boundary:
	}
	return false
}

// isCommand reports whether a message is a command of the user with its output.
func isCommand(m *transcript.Message) bool { return len(m.Blocks) > 1 && isTyped(m.Blocks[0].Text) }

// aside draws an aside. Its blocks without text follow.
func (p *page) aside(m *transcript.Message) {
	if errs := m.APIErrors(); len(errs) > 0 {
		p.apiErrors(m, errs)
		return
	}
	text := allText(m)
	switch {
	case m.Kind == transcript.Summary:
		p.summary(text)
	case isCommand(m):
		p.command(m)
	case !isBlank(text):
		p.notice(-1, text)
	case len(m.Blocks) == 0:
		p.fixed(-1, "Empty", nil, nil)
	}
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockText {
			p.block(m, i)
		}
	}
}

// apiErrors draws failed requests as one line: their number, their times and the last known cause.
func (p *page) apiErrors(m *transcript.Message, causes []string) {
	text := words.Counted(len(causes), "API error", "API errors")
	at := func(i int) string {
		t := m.Blocks[i].Time
		if t.IsZero() || p.stamp == "" {
			return ""
		}
		return t.In(p.zone()).Format("15:04")
	}
	switch from, to := at(0), at(len(causes)-1); {
	case from == "" || to == "":
	case from == to:
		text += " at " + from
	default:
		text += ", " + from + " to " + to
	}
	for _, cause := range slices.Backward(causes) {
		if cause = transcript.CleanLine(cause); cause != "" {
			text += ": " + strings.TrimPrefix(cause, "API Error: ")
			break
		}
	}
	p.plain(0, words.Cut(text, max(p.o.Width-p.text()-2, 1)))
}

// firstLine returns the start of a text, cut to the width of a folded line.
func (p *page) firstLine(text string) string {
	if line := transcript.CleanLine(head(text, 4*p.o.Width)); line != "" || isBlank(text) {
		return line
	}
	return "…" // the start of the text has too many blanks or control characters
}

// notice draws a text of the client, or a typed command, as one line. An open part has all lines.
func (p *page) notice(block int, text string) {
	if line := fixedGist(text); line != "" {
		if isInterruption(strings.TrimSpace(text)) {
			p.plain(block, line)
		} else {
			p.faint(block, Fixed, line)
		}
		return
	}
	fold, typed := p.o.fold(block), isTyped(text)
	full := unframed(text)
	line, rest := full, ""
	first, behind, _ := strings.Cut(full, "\n")
	own := first // the line of an output
	switch {
	case isOutput(text):
		own = strings.Replace(first, " (ctrl+o to see full summary)", "", 1) // this key works only in the client
		line = own
	case isCaveat(text):
		line = "Note to Claude about local commands"
	case !typed:
		line = gist(full)
	}
	switch {
	case line != full && line != own || !p.fits(first):
		rest = full
	default:
		rest = trimLines(behind)
	}
	if fold >= Open && line == full {
		line = first
	}
	p.before(typedEnding(text, fold))
	from, l := len(p.lines), p.line()
	switch {
	case typed:
		l.To(p.o.Left).Put(render.Accent, "❯").To(p.text()).Put(render.Text, p.firstLine(line))
	case fold >= Open:
		l.To(p.text()).Put(render.Faint, "▾").Put(render.Text, " ").Put(render.Muted, p.firstLine(line))
	default:
		l.To(p.text()).Put(render.Faint, "▸ "+p.firstLine(line))
	}
	p.lines = append(p.lines, l.String())
	switch {
	case typed && rest == "":
		p.add(block, from, Fixed, false)
	case fold == Shut || rest == "":
		p.add(block, from, fold, false)
	default:
		b := p.body(fold, p.text()+4, false)
		b.text(render.Muted, rest, openRows)
		b.end(block, from)
	}
}

// command draws a slash command and its result on one line: "❯ /compact → compacted".
func (p *page) command(m *transcript.Message) {
	fold, ink := p.o.fold(-1), render.Muted
	typed, args, _ := strings.Cut(strings.TrimSpace(commandText(m.Blocks[0].Text)), "\n")
	if !p.fits(typed) {
		args = strings.TrimSpace(typed + "\n" + args)
	}
	var outputs []string
	for i := range m.Blocks[1:] {
		text := strings.TrimSpace(m.Blocks[i+1].Text)
		if name, _ := openingTag(text); strings.HasSuffix(name, "stderr") {
			ink = render.Bad
		}
		if fixedGist(text) == "" { // there is output
			outputs = append(outputs, strings.TrimSpace(transcript.Clean(unframed(text))))
		}
	}
	output := strings.Join(outputs, "\n")
	first, _, more := strings.Cut(output, "\n")
	if strings.HasPrefix(first, "Compacted") { // the client appends the name of a key of its own
		first, more = "compacted", false
	}
	p.before(typedEnding(m.Blocks[0].Text, fold))
	from, l := len(p.lines), p.line().To(p.o.Left).Put(render.Accent, "❯").To(p.text()).Put(render.Text, p.firstLine(typed))
	if first != "" {
		first = " → " + p.firstLine(first)
	}
	if !more && args == "" && p.fits(typed+first) {
		p.lines = append(p.lines, l.Put(ink, first).String())
		p.add(-1, from, Fixed, false)
		return
	}
	if fold == Shut {
		p.lines = append(p.lines, l.Put(ink, first).String())
		p.add(-1, from, fold, false)
		return
	}
	p.lines = append(p.lines, l.String())
	b := p.body(fold, p.text()+4, false)
	if args != "" {
		b.text(render.Text, args, openRows)
	}
	b.text(ink, output, openRows)
	b.end(-1, from)
}

// fits reports whether the line of a notice fits into the width.
func (p *page) fits(line string) bool {
	return len(line) <= 16*p.o.Width && ansi.StringWidth(transcript.CleanLine(line)) <= p.o.Width-p.text()-2
}

// plain draws a line that can't be opened.
func (p *page) plain(block int, text string) {
	p.before(Folded)
	from := len(p.lines)
	p.lines = append(p.lines, p.line().To(p.text()+2).Put(render.Faint, text).String())
	p.add(block, from, Fixed, false)
}

func (p *page) faint(block int, fold Fold, text string) {
	p.before(Folded)
	from := len(p.lines)
	p.lines = append(p.lines, p.line().To(p.text()).Put(render.Faint, "▸ "+text).String())
	p.add(block, from, fold, false)
}

// thought draws a thought as one line with its duration. An open part has the text in italics.
func (p *page) thought(block int, b *transcript.Block) {
	fold := p.o.fold(block)
	p.before(ending(fold))
	from, glyph := len(p.lines), "▸ "
	if fold >= Open {
		glyph = "▾ "
	}
	p.lines = append(p.lines, p.line().To(p.text()).Put(render.Faint, glyph+thoughtWords(b)).String())
	p.words(block, from, fold, render.Thought, b.Text)
}

// thoughtWords returns a text such as "Thought for 12 s".
func thoughtWords(b *transcript.Block) string {
	if took := words.Duration(b.Took); took != "" {
		return "Thought for " + took
	}
	return "Thought"
}

// words completes a part that begins with lines[from]. An open part gets a text.
func (p *page) words(block, from int, fold Fold, ink render.Ink, text string) {
	if fold == Shut {
		p.add(block, from, fold, false)
		return
	}
	b := p.body(fold, p.text()+4, false)
	b.text(ink, text, openRows)
	b.end(block, from)
}
