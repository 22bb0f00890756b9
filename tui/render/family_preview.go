package render

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
)

// StepPreview draws the preview of a step: a hidden branch, a compaction or a sub-agent. No line is wider than o.Width.
func StepPreview(m *family.Member, o RowOptions) []string {
	p := stepPreview{o: o, s: m.Step}
	title := m.Step.Title
	if m.Step.Kind == family.StepCompaction {
		title = compactionName(m.Step)
	}
	p.put(p.line().PutUntil(Strong, title, o.Width-1))
	p.put(p.line().PutUntil(Muted, "in "+Title(m.Row.Described()), o.Width-1))
	p.gap()
	switch m.Step.Kind {
	case family.StepBranch:
		p.branch(m)
	case family.StepCompaction:
		p.compaction(m)
	case family.StepAgent:
		p.text(Span{}, Muted, "A sub-agent with "+words.Counted(p.s.Messages, "message", "messages")+" in the file of the session.")
		p.gap()
		p.key("enter", "opens the conversation here.")
	}
	return p.lines
}

// Kin draws the parent and the children of a session, and which messages a resume shows. It returns nil for a step.
func Kin(list []family.Member, i int, o RowOptions) (lines []string) {
	if i < 0 || list[i].Step != nil {
		return nil
	}
	p := stepPreview{o: o}
	if at := list[i].Parent; at >= 0 {
		p.gap()
		p.put(p.line().Put(Heading, "Comes from"))
		p.relative(&list[at], familyWord(list, i))
	}
	n := 0
	for k := range list {
		if list[k].Parent != i || list[k].Step != nil {
			continue
		}
		if n++; n == 1 {
			p.gap()
			p.put(p.line().Put(Heading, "Continues in"))
		}
		if n <= mostKin {
			p.relative(&list[k], familyWord(list, k))
		}
	}
	if n > mostKin {
		p.put(p.line().To(4).Put(Faint, "… "+words.Count(n-mostKin)+" more"))
	}
	p.resumed(list, i)
	return p.lines
}

// relative draws the title of a relative, and how it is related.
func (p *stepPreview) relative(m *family.Member, how string) {
	glyph, title := Span{Faint, "✗"}, familyMissing
	if r := m.Row; r != nil {
		glyph, _ = BadgeSpans(r, p.o.Now)
		title = Title(r.Described())
	}
	p.put(p.line().Spans(glyph).To(4).PutUntil(Text, title, p.o.Width-1))
	p.put(p.line().To(4).PutUntil(Muted, how, p.o.Width-1))
}

// resumed draws which messages a resume shows. It also names the session that claude --continue opens.
func (p *stepPreview) resumed(list []family.Member, i int) {
	r := list[i].Row
	if r == nil || r.Kind != sessions.KindSession || r.Has(sessions.FlagNotResumable) || r.Described().Known == 0 {
		return
	}
	d, newest, without := r.Described(), i, ""
	for k := range list {
		switch m := &list[k]; {
		case m.Row == nil || m.Row.Kind != sessions.KindSession:
		case m.Step == nil && m.Row.Dated() && m.Row.When().After(list[newest].Row.When()):
			newest = k
		case m.Step == nil || m.Row != r:
		case m.Step.Kind == family.StepCompaction:
			without = ", from the last compaction on"
		case m.Step.Kind == family.StepBranch && without == "":
			without = ", without the hidden branch"
		}
	}
	p.gap()
	p.put(p.line().Put(Heading, "What a resume shows"))
	if d.Known >= d.Messages {
		p.text(Span{}, Muted, "all "+words.Counted(d.Messages, "message", "messages"))
	} else {
		p.text(Span{}, Muted, words.Count(d.Known)+" of "+words.Counted(d.Messages, "message", "messages")+without)
	}
	if newest != i {
		p.gap()
		p.put(p.line().Put(Heading, "Used last"))
		p.relative(&list[newest], words.Ago(p.o.Now, list[newest].Row.When()))
	}
}

// mostKin is the maximum number of children that the preview of a session names.
const mostKin = 3

type stepPreview struct {
	o     RowOptions
	s     *family.Step
	lines []string
}

func (p *stepPreview) line() *Line { return NewLine(p.o.Styles, p.o.Width).To(2) }

func (p *stepPreview) put(l *Line) { p.lines = append(p.lines, l.String()) }

func (p *stepPreview) gap() { p.lines = append(p.lines, "") }

// text draws a wrapped text with a glyph in front of its first line.
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

// heading draws a name and, at the right, the time of the step.
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
	p.text(Span{}, Muted, "claude --resume follows only the newest branch.")
	at := "It splits off at message " + words.Count(p.s.From)
	if r := m.Row.Described(); r.Counted() {
		at += " of " + words.Count(r.Messages)
	}
	p.text(Span{}, Muted, at+".")
	p.gap()
	p.heading("First prompt")
	p.text(Span{AccentBold, "❯"}, Strong, p.s.Title)
	p.gap()
	if p.s.End != "" {
		p.key("f", "makes it a separate session.")
	}
	p.key("enter", "opens the conversation here.")
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
	p.text(Span{}, Muted, "The summary and the messages after it. Earlier messages stay in the file.")
	if r := m.Row.Described(); r.Counted() && r.Known > 0 {
		p.text(Span{}, Muted, StillKnown(r.Known, r.Messages, 0)+".")
	}
	p.gap()
	p.key("enter", "opens the conversation here.")
}
