package talk

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// noted draws a notice. Its first line names the sender or the source.
func (p *page) noted(block int, b *transcript.Block) {
	summary, text := p.noticeWords(b)
	fold, ink := p.o.noticeFold(block, b), render.Muted
	if b.Failed {
		ink = render.Bad
	}
	glyph := "▸ "
	switch {
	case fold == Fixed:
		glyph = "· "
	case fold >= Open:
		glyph = "▾ "
	}
	p.before(ending(fold))
	from := len(p.lines)
	end, call := p.o.Width, render.Span{}
	if b.Notice == transcript.NoticeTask && b.CallID != "" {
		call = render.Span{Ink: render.Faint, Text: "  ↑ call"}
		end -= ansi.StringWidth(call.Text)
	}
	l := p.line().To(p.text()).Put(render.Faint, glyph).PutUntil(ink, summary, end)
	if first, _, _ := strings.Cut(trimLines(text), "\n"); first != "" && fold < Open && !isSummed(b) {
		l.PutUntil(render.Faint, ": "+p.firstLine(first), end)
	}
	l.Right(p.o.Width, call)
	p.lines = append(p.lines, l.String())
	if fold < Open {
		p.add(block, from, fold, false)
		return
	}
	if isBlank(text) || !p.fits(summary) { // the line would be cut
		text = summary + "\n" + text
	}
	body := p.body(fold, p.text()+4, false)
	body.text(render.Muted, text, openRows)
	body.end(block, from)
}

// noticeFold returns the fold of a notice. A notice that fits on its first line is Fixed.
func (o *Options) noticeFold(block int, b *transcript.Block) Fold {
	const narrow = 30 // in bytes
	if len(b.Name)+len(b.Title) <= narrow && isBlank(b.Text) {
		return Fixed
	}
	return o.fold(block)
}

// isSummed reports whether a notice has a title that summarizes its text.
func isSummed(b *transcript.Block) bool { return b.Title != "" && b.Notice != transcript.NoticeHook }

// noticeWords returns the first words of a notice, such as "Message from bela", and the text after them.
func (p *page) noticeWords(b *transcript.Block) (head, text string) {
	return noticeWords(b, p.relative)
}

func noticeWords(b *transcript.Block, relative func(path string) string) (head, text string) {
	name, title := transcript.CleanLine(b.Name), transcript.CleanLine(b.Title)
	switch b.Notice {
	case transcript.NoticePeer:
		head = "Message from " + sender(name)
		if title != "" {
			head += ": " + title
		}
	case transcript.NoticeTask:
		if head = title; head == "" {
			head = "Background task"
		}
	case transcript.NoticeContinued:
		if head = "Claude Code continued"; title != "" {
			head += " with " + title
		}
	case transcript.NoticeHook:
		head = strings.TrimSpace("Hook "+name) + " " + title
	case transcript.NoticeFile:
		if name == "" {
			name = "a file"
		}
		return "Attached " + relative(name), ""
	case transcript.NoticeSelection:
		head = strings.TrimSpace("Selected "+title) + " in " + relative(name)
	case transcript.NoticeNote:
		return "Note from Claude Code", strings.TrimSpace(untag(b.Text))
	case transcript.NoticeDiagnostics:
		n := 0
		for line := range strings.Lines(trimLines(b.Text)) {
			n++
			text += relative(strings.TrimSuffix(line, "\n")) + "\n"
		}
		return words.Counted(n, "problem", "problems") + " reported by the editor", text
	case transcript.NoticeSkills:
		return "Skills reloaded: " + name, ""
	default:
		head = strings.TrimSpace(transcript.CleanLine(string(b.Notice)) + " " + name + " " + title)
	}
	return head, b.Text
}

// sender returns the name of the sender, or a short form of an agent's ID.
func sender(name string) string {
	switch {
	case name == "":
		return "another agent"
	case len(name) >= 16 && strings.Trim(name, "0123456789abcdef") == "":
		return "agent " + name[:8]
	}
	return name
}

// wholePath returns a path unchanged. The search passes it to noticeWords, to find the whole path.
func wholePath(path string) string { return path }
