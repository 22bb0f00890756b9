package taskview

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/render"
)

// drawMoment draws a checkpoint, or the start of a session.
func (c *chain) drawMoment(it *chainItem, chosen bool) []string {
	m := it.moment
	l := c.line()
	if chosen {
		l.Select(true).Put(render.AccentBold, "▌")
	}
	l.To(2)
	kind, ink, state := "start", render.Muted, render.Span{Ink: render.Faint, Text: " " + clean(string(m.After))}
	mark, text := render.Span{Ink: render.Accent, Text: "┃"}, ""
	if p := m.Checkpoint; p != nil {
		kind, ink, text = clean(p.Type.Label()), render.Text, c.passed(p)+clean(p.Summary)
		mark = render.Span{Ink: render.Good, Text: "✓"}
		if p.Type == task.Interrupted || p.Type == task.ErrorRecovery {
			mark = render.Span{Ink: render.Warn, Text: "△"}
		}
		if m.After == task.Suspended {
			state.Ink = render.Warn
		}
	} else {
		text, state.Text = c.started(m.Session), ""
	}
	if chosen {
		ink = render.Strong
	}
	l.Spans(mark).To(timeColumn).Put(render.Muted, words.Moment(c.now, m.At)).To(typeColumn).Put(render.Muted, kind)
	right := c.look.width - 1 - render.SpansWidth([]render.Span{state})
	wide := c.look.width >= wideFrom
	if wide {
		l.To(summaryColumn).PutUntil(ink, text, right)
	}
	lines := []string{l.Right(c.look.width-1, state).To(c.look.width).String()}
	if !chosen {
		lines[0] = strings.TrimRight(lines[0], " ")
	}
	if !wide {
		lines = append(lines, c.below(it, ink, text))
	}
	if m.Checkpoint == nil {
		return lines
	}
	if !c.open[m.Checkpoint.Name] {
		return append(lines, c.below(it, render.Faint, about(m.Checkpoint)))
	}
	return append(lines, c.whole(it)...)
}

// below draws a further line of a checkpoint, with a rule to the previous checkpoint.
func (c *chain) below(it *chainItem, ink render.Ink, text string) string {
	l := c.line().To(2)
	if !it.last {
		l.Put(render.Accent, "┃")
	}
	column := summaryColumn
	if c.look.width < wideFrom {
		column = timeColumn
	}
	return l.To(column).PutUntil(ink, text, c.look.width-1).String()
}

// passed returns the gates of a gate_transition, such as "G3 to G4: ", or "". The summary may already name the gate.
func (c *chain) passed(p *task.Checkpoint) string {
	i := slices.Index(c.of.Checkpoints, p)
	if p.Type != task.GateTransition || i < 0 || strings.Contains(p.Summary, string(p.Gate)) {
		return ""
	}
	before := task.Gate("G0")
	if i > 0 {
		before = c.of.Checkpoints[i-1].Gate
	}
	if before == p.Gate {
		return ""
	}
	return clean(string(before)+" to "+string(p.Gate)) + ": "
}

func (c *chain) started(s *task.Session) string {
	text := "Session " + c.number(s)
	if s.ResumedFrom != "" {
		text += " continues " + clean(s.ResumedFrom)
	}
	return text
}

// about returns decisions, files and tests of a checkpoint as one line.
func about(p *task.Checkpoint) string {
	var parts []string
	for _, d := range p.Decisions {
		if len(d.Alternatives) > 0 {
			parts = append(parts, "Considered: "+strings.Join(d.Alternatives, ", "))
		} else if d.Rationale != "" {
			parts = append(parts, d.Rationale)
		}
	}
	if len(p.Files) > 0 {
		parts = append(parts, words.Counted(len(p.Files), "file", "files"))
	}
	if p.Tested {
		parts = append(parts, testsOf(p))
	}
	if len(parts) == 0 && (p.Type == task.SessionEnd || p.Type == task.Interrupted) {
		parts = append(parts, p.Resume)
	}
	return clean(strings.Join(parts, " · "))
}

// whole draws all fields of a checkpoint.
func (c *chain) whole(it *chainItem) []string {
	p := it.checkpoint()
	var lines []string
	add := func(label, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		column := timeColumn + 14
		for i, s := range render.Wrap(clean(text), c.look.width-column-1) {
			l := c.line().To(2)
			if !it.last {
				l.Put(render.Accent, "┃")
			}
			if l.To(timeColumn); i == 0 {
				l.Put(render.Faint, label)
			}
			lines = append(lines, l.To(column).Put(render.Text, s).String())
		}
	}
	add("checkpoint", p.Name)
	add("session", p.Session)
	add("summary", p.Summary)
	add("gate", strings.TrimSpace(string(p.Gate)+" "+p.Gate.Name()))
	if p.Step > 0 {
		add("step", words.Count(p.Step))
	}
	for _, f := range p.Files {
		add("file", f.Path+" "+f.Action)
	}
	if p.Tested {
		add("tests", testsOf(p)+", "+words.Count(p.Tests.Pending)+" pending")
	}
	for _, d := range p.Decisions {
		add("decision", d.Text)
		add("", d.Rationale)
		if len(d.Alternatives) > 0 {
			add("", "Considered: "+strings.Join(d.Alternatives, ", "))
		}
	}
	for _, s := range p.Next {
		add("next", s)
	}
	add("resume", p.Resume)
	add("commit", strings.TrimSpace(p.Commit+" "+p.Branch))
	for _, w := range p.Wanted() {
		if !w.Has {
			add("missing", w.Name+": "+w.Field)
		}
	}
	return append(lines, c.below(it, render.Faint, ""))
}
