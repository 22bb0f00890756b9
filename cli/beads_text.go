package cli

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// The columns of a bead in cells.
const (
	beadTextAt  = 2
	beadIDMax   = 20 // a longer id is cut here, and whole in a pipe
	beadAge     = 4
	beadFactMax = 32
	beadTitle   = 24 // at least; before it gets narrower, facts leave
)

// beadsText is the list for a person.
func beadsText(env *Env, o *out.Output, l *beadsLook, groups []beadGroup, ask *beadsAsk) string {
	width := o.Out.Page()
	ids := 0
	for _, g := range groups {
		for _, b := range g.beads {
			ids = max(ids, min(ansi.StringWidth(out.CleanPath(b.ID)), beadIDMax))
		}
	}
	var text strings.Builder
	for _, g := range groups {
		if len(g.beads) == 0 {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n")
		}
		head := render.NewLine(o.Out.Styles, width).Put(render.Heading, g.name).Put(render.Faint, " "+render.Count(len(g.beads)))
		text.WriteString(head.String() + "\n")
		for _, b := range g.beads {
			text.WriteString(strings.TrimRight(beadLine(env, o, l, b, g.name, width, ids), " ") + "\n")
		}
	}
	if text.Len() > 0 {
		text.WriteString("\n")
	}
	for _, line := range render.Wrap(beadsSum(l, groups, ask), width) {
		text.WriteString(line + "\n")
	}
	return text.String()
}

// beadLine is one line of the list: glyph, title, a fact about it, priority, age, id.
func beadLine(env *Env, o *out.Output, l *beadsLook, b *beads.Bead, group string, width, ids int) string {
	fact := ""
	if w := waits(l, b); len(w) > 0 {
		fact = "waits for " + transcript.CleanLine(strings.Join(w, ", "))
	} else if b.Assignee != "" {
		fact = transcript.CleanLine(b.Assignee)
	}
	glyph := render.Span{Ink: render.Faint, Text: "·"}
	switch group {
	case "Blocked":
		glyph = render.Span{Ink: render.Warn, Text: "△"}
	case "Closed":
		glyph = render.Span{Ink: render.Good, Text: "✓"}
	}
	t := b.Updated
	if group == "Closed" && !b.Closed.IsZero() {
		t = b.Closed
	}
	end := width
	type column struct {
		width int
		span  render.Span
		right bool
	}
	columns := []column{
		{ids, render.Span{Ink: render.Faint, Text: render.Cut(out.CleanPath(b.ID), ids)}, false},
		{beadAge, render.Span{Ink: render.Faint, Text: render.Age(env.now(), t)}, true},
		{2, render.Span{Ink: render.Muted, Text: "P" + strconv.Itoa(min(max(b.Priority, 0), 9))}, true},
		{min(ansi.StringWidth(fact), beadFactMax), render.Span{Ink: render.Muted, Text: render.Cut(fact, beadFactMax)}, true},
	}
	var put []func(*render.Line)
	for _, c := range columns {
		if end-c.width-2 < beadTextAt+beadTitle {
			break
		}
		if c.width == 0 {
			continue
		}
		at := end
		if c.right {
			put = append(put, func(line *render.Line) { line.Right(at, c.span) })
		} else {
			put = append(put, func(line *render.Line) { line.To(at - c.width).Spans(c.span) })
		}
		end -= c.width + 2
	}
	line := render.NewLine(o.Out.Styles, width).Spans(glyph).To(beadTextAt)
	line.PutUntil(render.Text, transcript.CleanLine(b.Title), end)
	for i := len(put) - 1; i >= 0; i-- {
		put[i](line)
	}
	return line.String()
}

// beadsSum sums the list up, and names what tells more.
func beadsSum(l *beadsLook, groups []beadGroup, ask *beadsAsk) string {
	open := 0
	for i := range l.Beads {
		if l.Beads[i].Status != "closed" {
			open++
		}
	}
	shown := 0
	for _, g := range groups {
		shown += len(g.beads)
	}
	sum := render.Count(open) + " open, " + render.Count(l.CountClosed()) + " closed."
	switch {
	case open+l.CountClosed() == 0:
		return "No beads yet. br create makes one."
	case shown == 0 && ask.ready:
		return "Nothing is ready. " + sum
	case shown == 0 && ask.blocked:
		return "Nothing is blocked. " + sum
	case shown == 0:
		return "Nothing can be begun, and nothing is blocked. " + sum + " --all shows them."
	case !ask.all && !ask.ready && !ask.blocked && shown < open+l.CountClosed():
		return sum + " --all shows them, continuo beads ID all of one."
	}
	return sum + " continuo beads ID shows all of one."
}

// findingsText are findings for a person.
func findingsText(s *out.Output, j *beadsCheckJSON) string {
	width := s.Out.Page()
	ids, fields := 0, 0
	for _, f := range j.Findings {
		ids, fields = max(ids, min(ansi.StringWidth(out.CleanPath(f.ID)), beadIDMax)), max(fields, len(f.Field))
	}
	var text strings.Builder
	for _, f := range j.Findings {
		glyph := render.Span{Ink: render.Warn, Text: "△"}
		if f.Blocks {
			glyph = render.Span{Ink: render.BadBold, Text: "✗"}
		}
		line := render.NewLine(s.Out.Styles, width).Spans(glyph).To(beadTextAt).Put(render.Faint, render.Cut(out.CleanPath(f.ID), ids)).
			To(beadTextAt+ids+2).Put(render.Muted, f.Field)
		at := beadTextAt + ids + 2 + fields + 2
		if at+ansi.StringWidth(f.What) <= width {
			line.To(at).Put(render.Text, f.What)
			text.WriteString(line.String() + "\n")
			continue
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		for _, part := range render.Wrap(f.What, max(width-beadTextAt, 1)) {
			text.WriteString(strings.Repeat(" ", beadTextAt) + part + "\n")
		}
	}
	if j.Blocking == 0 {
		if text.Len() > 0 {
			text.WriteString("\n")
		}
		text.WriteString(s.Out.Wrapped(checkedWords(j)))
	}
	return text.String()
}
