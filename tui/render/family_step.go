package render

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/family"
)

// step draws a sub-agent, a compaction, or a hidden branch.
func (t *tree) step(i int) []string {
	s, o := t.list[i].Step, &t.o
	l, at := o.line(), o.familyAt()
	age, msgs, _, end := o.familyColumns()
	rails := familyRails(t.list, i)
	t.rails(l.To(at), rails, i)
	glyph, kind, title, word := Span{Faint, "▸ "}, "", Span{o.stepInk(), s.Title}, Span{Muted, "agent"}
	switch s.Kind {
	case family.StepAgent:
		kind = t.kind(s.Type)
	case family.StepBranch:
		glyph, word = Span{Warn, "◇ "}, Span{Warn, "hidden branch"}
	case family.StepCompaction:
		glyph, word = Span{Muted, "≡ "}, Span{Faint, compactionTokens(s)}
		if title.Text = compactionName(s); !o.Chosen {
			title.Ink = Muted
		}
	}
	l.Spans(glyph)
	room := end
	if w := SpansWidth([]Span{word}); end-l.At()-w >= leastTitle {
		room -= w + 2
	}
	l.PutUntil(Muted, kind, room)
	l.PutUntil(title.Ink, title.Text, room)
	if room < end {
		l.Right(end, word)
	}
	if age >= 0 && !s.When.IsZero() {
		l.Right(age+figureWidth, Span{Muted, Age(o.Now, s.When)})
	}
	if msgs >= 0 && s.Messages > 0 {
		l.Right(msgs+figureWidth, Span{Faint, words.Count(s.Messages)})
	}
	if o.Chosen {
		l.To(o.Width)
	}
	rows := []string{l.String()}
	if s.Kind == family.StepBranch {
		l := o.line().To(at)
		t.rails(l, railsBelow(rails), i)
		l.To(at + len([]rune(rails)) + 2)
		l.PutUntil(Faint, "splits off at message "+words.Count(s.From)+"; resume follows the other branch", o.Width-1)
		if o.Chosen {
			l.To(o.Width)
		}
		rows = append(rows, l.String())
	}
	return rows
}

// kind pads the type of a sub-agent, so that the tasks of sub-agents are aligned.
func (t *tree) kind(name string) string {
	const most = 16 // cells
	if name == "" {
		return ""
	}
	width := 0
	for i := range t.list {
		if s := t.list[i].Step; s != nil {
			width = max(width, min(ansi.StringWidth(s.Type), most))
		}
	}
	return Pad(name, width) + "  "
}

func (o *RowOptions) stepInk() Ink {
	if o.Chosen {
		return Strong
	}
	return Text
}

// railsBelow returns the rails for a further line of a row.
func railsBelow(rails string) string {
	list := []rune(rails)
	for i, r := range list {
		switch r {
		case '├', '┠':
			list[i] = '│'
		case '╰', '─':
			list[i] = ' '
		}
	}
	return string(list)
}

func compactionName(s *family.Step) string {
	switch {
	case s.Compaction == nil:
		return "Compacted"
	case s.Compaction.Auto:
		return "Compacted automatically"
	}
	return "Compacted with /compact"
}

// compactionTokens returns the context sizes before and after a compaction, such as "162k to 21k".
func compactionTokens(s *family.Step) string {
	switch c := s.Compaction; {
	case c == nil || c.Before == 0:
		return ""
	case c.After == 0:
		return "from " + Tokens(c.Before)
	default:
		return Tokens(c.Before) + " to " + Tokens(c.After)
	}
}

// stepAbout returns a sentence about a step.
func stepAbout(s *family.Step) string {
	switch s.Kind {
	case family.StepAgent:
		if s.Path == "" {
			return "A sub-agent in the file of the session."
		}
		return "A sub-agent with its own transcript."
	case family.StepBranch:
		return "Splits off at message " + words.Count(s.From) + ". claude --resume doesn't show it."
	case family.StepCompaction:
	}
	return compactionName(s) + ". Claude knows the summary, not the messages before it."
}
