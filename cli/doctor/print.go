package doctor

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Columns and widths, in cells.
const (
	Text         = 29 // column of the texts
	doctorNarrow = 80 // if narrower, a text directly follows its name
	doctorTight  = 44 // if narrower, a text is below its name
	doctorNames  = 16 // width of "config directory", the longest name
)

// doctorPrinter prints the report of doctor, section by section. It prints JSON at the end.
type doctorPrinter struct {
	o      *out.Output
	checks []*Check
}

// section prints the checks of a section.
func (p *doctorPrinter) section(name string, checks []Check) {
	terminal := p.o.Out.Terminal && !p.o.JSON
	if terminal && len(p.checks) > 0 {
		p.o.Out.Print("\n")
	}
	if terminal {
		p.o.Out.Print(p.o.Out.Styles.Paint(render.Heading, name) + "\n")
	}
	for _, c := range out.Pointers(checks) {
		c.Section = name
		p.checks = append(p.checks, c)
		switch {
		case terminal:
			p.show(c)
		case !p.o.JSON:
			p.o.Out.Print(checksTable().Tabs(c))
		}
	}
}

// checksTable describes checks for programs. The last column in a pipe is Fix or, without a fix, See.
func checksTable() *out.Table[*Check] {
	return &out.Table[*Check]{
		Columns: []out.Column[*Check]{
			{Key: "section", Value: func(c *Check) any { return c.Section }},
			{Key: "name", Value: func(c *Check) any { return c.Name }},
			{Key: "state", Value: func(c *Check) any { return c.State }},
			{Key: "text", Value: func(c *Check) any { return c.Text }, Tab: func(c *Check) string { return c.Text }},
			{Key: "note", Value: func(c *Check) any { return c.Note }, Tab: func(c *Check) string { return c.Note }},
			{Key: "fix", Value: func(c *Check) any { return c.Fix }},
			{Key: "see", Value: func(c *Check) any { return out.OrEmpty(c.See) }},
			{Key: "do", Tab: func(c *Check) string { return cmp.Or(c.Fix, strings.Join(c.See, "; ")) }},
		},
		Piped: "section name state text note do",
	}
}

// end prints the totals. After a finding, it returns them as an error instead.
func (p *doctorPrinter) end() error {
	if p.o.JSON {
		if err := checksTable().Print(p.o, p.checks, ""); err != nil {
			return err
		}
	}
	findings, warnings := 0, 0
	for i := range p.checks {
		switch p.checks[i].State {
		case VerdictFinding:
			findings++
		case VerdictWarning:
			warnings++
		case VerdictOK, VerdictNote:
		}
	}
	sum := "No findings"
	if findings > 0 {
		sum = out.Count(findings, "finding")
	}
	if warnings > 0 {
		sum += ", " + out.Count(warnings, "warning")
	}
	sum += ". Nothing was changed."
	person := p.o.Out.Terminal && !p.o.JSON
	if person {
		p.o.Out.Print("\n")
	}
	switch {
	case findings > 0:
		return &out.Failure{Code: out.ExitNo, What: sum}
	case person:
		p.o.Out.Print(p.o.Out.Wrapped(sum))
	case !p.o.JSON:
		p.o.Err.Print(sum + "\n")
	}
	return nil
}

// show prints a check on a terminal. Commands are never cut, so that they can be pasted.
func (p *doctorPrinter) show(c *Check) {
	width := max(min(p.o.Out.Width, out.ListMax), 1)
	at := Text
	if width < doctorNarrow {
		at = 2 + doctorNames + 2
	}
	if width < doctorTight {
		at = 2
	}
	ink := render.Muted
	if c.State == VerdictFinding || c.State == VerdictWarning {
		ink = render.Text
	}
	text, note := render.Wrap(out.OneLine(c.Text), width-at), render.Wrap(out.OneLine(c.Note), width-at)
	s := p.o.Out.Styles
	l := render.NewLine(s, width).Spans(c.glyph()).To(2).Put(render.Text, c.Name)
	if at == 2 {
		p.o.Out.Print(l.String() + "\n")
		l = render.NewLine(s, width)
	}
	for i, line := range text {
		l.To(at).Put(ink, line)
		last := i == len(text)-1
		if last && len(note) == 1 && l.At()+2+ansi.StringWidth(note[0]) <= width {
			l.Right(width, render.Span{Ink: render.Faint, Text: note[0]})
			note = nil
		}
		p.o.Out.Print(l.String() + "\n")
		l = render.NewLine(s, width)
	}
	for _, line := range note {
		p.o.Out.Print(render.NewLine(s, width).To(at).Put(render.Faint, line).String() + "\n")
	}
	if c.Fix != "" {
		p.command("fix", c.Fix, at)
	}
	for _, command := range c.See {
		p.command("see", command, at)
	}
	if c.more > 0 {
		p.o.Out.Print(render.NewLine(s, width).To(at).Put(render.Faint, "and "+words.Count(c.more)+" more").String() + "\n")
	}
}

func (p *doctorPrinter) command(label, command string, at int) {
	p.o.Out.Print(render.Pad("  "+p.o.Out.Styles.Paint(render.Faint, label), max(at, 2+len(label)+1)))
	p.o.Out.Exact(strings.ReplaceAll(transcript.Clean(command), "\n", " ") + "\n")
}
