package doctor

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Layout of the report.
const (
	Text         = 29 // column of the texts
	doctorNarrow = 80 // width in cells below which texts follow the names directly
	doctorTight  = 44 // width in cells below which texts are on their own lines
	doctorNames  = 16 // maximum width of a name in cells; the longest is config directory
)

// doctorPrinter prints the report as results arrive, or JSON at the end.
type doctorPrinter struct {
	out    *out.Stream
	json   bool
	checks []Check
}

// section prints the checks of a section.
func (p *doctorPrinter) section(name string, checks []Check) {
	for i := range checks {
		c := &checks[i]
		c.Section, c.See = name, out.OrEmpty(c.See)
		if !p.json && !p.out.Terminal {
			p.out.Print(doctorRow(c))
		}
	}
	if !p.json && p.out.Terminal {
		if len(p.checks) > 0 {
			p.out.Print("\n")
		}
		p.out.Print(p.out.Styles.Paint(render.Heading, name) + "\n")
		for i := range checks {
			p.show(&checks[i])
		}
	}
	p.checks = append(p.checks, checks...)
}

// end prints the summary. If there are problems, it returns the summary as the error.
func (p *doctorPrinter) end(err *out.Stream) error {
	if p.json {
		var b strings.Builder
		for i := range p.checks {
			line, err := out.EncodeJSON(&p.checks[i])
			if err != nil {
				return err
			}
			b.WriteString(",\n" + line)
		}
		p.out.Exact("[" + strings.TrimPrefix(b.String(), ",") + "\n]\n")
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
	person := p.out.Terminal && !p.json
	if person {
		p.out.Print("\n")
	}
	switch {
	case findings > 0:
		return &out.Failure{Code: out.ExitNo, What: sum}
	case person:
		p.out.Print(p.out.Wrapped(sum))
	case !p.json:
		err.Print(sum + "\n")
	}
	return nil
}

// doctorRow returns a check as a tab-separated row.
func doctorRow(c *Check) string {
	do := c.Fix
	if do == "" {
		do = strings.Join(c.See, "; ")
	}
	columns := []string{c.Section, c.Name, string(c.State), c.Text, c.Note, do}
	for i := range columns {
		columns[i] = out.OrUnknown(strings.ReplaceAll(out.OneLine(columns[i]), "\t", " "))
	}
	return strings.Join(columns, "\t") + "\n"
}

// show prints a check for a person. The note is right-aligned, or on the next line if there is no room. Commands are
// printed unchanged, for copying.
func (p *doctorPrinter) show(c *Check) {
	width := max(min(p.out.Width, out.ListMax), 1)
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
	s := p.out.Styles
	l := render.NewLine(s, width).Spans(c.glyph()).To(2).Put(render.Text, c.Name)
	if at == 2 {
		p.out.Print(l.String() + "\n")
		l = render.NewLine(s, width)
	}
	for i, line := range text {
		l.To(at).Put(ink, line)
		last := i == len(text)-1
		if last && len(note) == 1 && l.At()+2+ansi.StringWidth(note[0]) <= width {
			l.Right(width, render.Span{Ink: render.Faint, Text: note[0]})
			note = nil
		}
		p.out.Print(l.String() + "\n")
		l = render.NewLine(s, width)
	}
	for _, line := range note {
		p.out.Print(render.NewLine(s, width).To(at).Put(render.Faint, line).String() + "\n")
	}
	if c.Fix != "" {
		p.command("fix", c.Fix, at)
	}
	for _, command := range c.See {
		p.command("see", command, at)
	}
	if c.more > 0 {
		p.out.Print(render.NewLine(s, width).To(at).Put(render.Faint, "and "+words.Count(c.more)+" more").String() + "\n")
	}
}

func (p *doctorPrinter) command(label, command string, at int) {
	p.out.Print(render.Pad("  "+p.out.Styles.Paint(render.Faint, label), max(at, 2+len(label)+1)))
	p.out.Exact(strings.ReplaceAll(transcript.Clean(command), "\n", " ") + "\n")
}
