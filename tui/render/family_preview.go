package render

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/family"
)

// StepPreview draws what a hidden branch or a compaction is, in place of the preview of its session. Its lines are at most
// o.Width wide.
func StepPreview(m *family.Member, o RowOptions) []string {
	p := stepPreview{o: o, s: m.Step}
	title := m.Step.Title
	if m.Step.Kind == family.StepCompaction {
		title = compactionName(m.Step)
	}
	p.put(p.line().PutUntil(Strong, title, o.Width-1))
	p.put(p.line().PutUntil(Muted, "in "+Title(m.Row.Described()), o.Width-1))
	p.gap()
	if m.Step.Kind == family.StepBranch {
		p.branch(m)
	} else {
		p.compaction(m)
	}
	return p.lines
}

type stepPreview struct {
	o     RowOptions
	s     *family.Step
	lines []string
}

func (p *stepPreview) line() *Line { return NewLine(p.o.Styles, p.o.Width).To(2) }

func (p *stepPreview) put(l *Line) { p.lines = append(p.lines, l.String()) }

func (p *stepPreview) gap() { p.lines = append(p.lines, "") }

// text draws a wrapped text, with a glyph in front of its first line.
func (p *stepPreview) text(glyph Span, ink Ink, text string) {
	for i, s := range Wrap(text, p.o.Width-6) {
		l := p.line()
		if i == 0 {
			l.Spans(glyph)
		}
		p.put(l.To(4).Put(ink, s))
	}
}

// key draws what a key does.
func (p *stepPreview) key(key, does string) {
	p.put(p.line().Put(Strong, key).PutUntil(Muted, " "+does, p.o.Width-1))
}

// heading draws a name and the time of the step.
func (p *stepPreview) heading(name string) {
	l := p.line().Put(Faint, name)
	if !p.s.When.IsZero() {
		l.Right(p.o.Width-1, Span{Faint, p.s.When.In(p.o.Now.Location()).Format("15:04")})
	}
	p.put(l)
}

func (p *stepPreview) branch(m *family.Member) {
	is := "s are"
	if p.s.Messages == 1 {
		is = " is"
	}
	p.text(Span{Warn, "◇"}, Bold, words.Count(p.s.Messages)+" message"+is+" on a hidden branch.")
	p.text(Span{}, Muted, "claude --resume follows the newest end only.")
	at := "It parts at message " + words.Count(p.s.From)
	if r := m.Row.Described(); r.Counted() {
		at += " of " + words.Count(r.Messages)
	}
	p.text(Span{}, Muted, at+".")
	p.gap()
	p.heading("First prompt")
	p.text(Span{AccentBold, "❯"}, Strong, p.s.Title)
	p.gap()
	if p.s.End != "" {
		p.key("f", "makes it a session of its own.")
	}
	p.key("enter", "reads from where it begins.")
}

func (p *stepPreview) compaction(m *family.Member) {
	if c := p.s.Compaction; c != nil && c.Before > 0 {
		p.heading("Context")
		const label, number = 8, 7
		width := max(p.o.Width-4-label-number-2, 0)
		for _, size := range []struct {
			name   string
			ink    Ink
			tokens int64
		}{{"before", Muted, c.Before}, {"after", Accent, c.After}} {
			if size.tokens > 0 {
				done := max(int(size.tokens*int64(width)/max(c.Before, c.After)), 1)
				p.put(p.line().To(4).Put(Muted, size.name).To(4+label).GaugeIn(size.ink, done, width, width).
					Right(p.o.Width-1, Span{Text, PadLeft(Tokens(size.tokens), number)}))
			}
		}
		p.gap()
	}
	p.put(p.line().Put(Faint, "What resume shows"))
	p.text(Span{}, Muted, "The summary and the messages below it. Those above it stay in the file.")
	if r := m.Row.Described(); r.Counted() && r.Known > 0 {
		p.text(Span{}, Muted, StillKnown(r.Known, r.Messages, 0)+".")
	}
	p.gap()
	p.key("enter", "reads from there.")
}
