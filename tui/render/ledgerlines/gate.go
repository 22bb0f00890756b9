package ledgerlines

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// GateOptions are the options for drawing a gate report.
type GateOptions struct {
	Width  int // in cells
	Styles *render.Styles
	Now    time.Time
	Most   int  // maximum lines of the verdict, or 0
	Screen bool // for the browser: with a bar, rails, and keys
}

// GateLook is the state of one block of a report.
type GateLook struct {
	Chosen bool // the block is selected
	Folded bool // the findings of the step are hidden
}

// Columns of a report, relative to the glyph. Below gateNarrow cells, a step has two lines.
const (
	gateNumber  = 2
	gateName    = 5
	gateFigure  = 27
	gateFigures = 32 // start column of the figures on a wide screen
	gateWide    = 110
	gateNarrow  = 64
	gateTitle   = 13 // title of a finding in the browser, after the day
	gateWhat    = 34 // distance from the glyph of a code reference to its problem
	gateWhats   = 36 // the same distance in the browser
)

// GateSteps returns the names of the steps in order. There need not be a report.
func GateSteps(mode gate.Mode) []string {
	names := []string{"Grounding", "Negative grounding", "Decision log", "Bead", "Handoff", "Decay to identifiers", "Test scenarios"}
	if mode == gate.Simplified {
		return names[:3]
	}
	return names
}

// gateBefore returns the Claude Code command that follows the gate, such as /compact.
func gateBefore(mode gate.Mode) string {
	if mode == gate.Full {
		return "/clear"
	}
	return "/compact"
}

// GateHead returns the heading of a report. head has the mode, the number of steps and the enforcement. about has the
// Claude Code command that follows the gate.
func GateHead(mode gate.Mode, enforcement string) (head, about string) {
	head = string(mode) + ", " + strconv.Itoa(len(GateSteps(mode))) + " steps"
	if enforcement != "" {
		head += ", " + transcript.CleanLine(enforcement)
	}
	return head, "checks before " + gateBefore(mode)
}

// GateLines returns the report for a command: the heading, the steps with their findings, and the verdict. last is the
// end of the verdict.
func GateLines(r *gate.Report, last string, o GateOptions) []string {
	o.Screen = false
	head, about := GateHead(r.Mode, string(r.Enforcement))
	l := render.NewLine(o.Styles, o.Width).Put(render.Strong, "Gate").Put(render.Muted, ", "+head)
	lines := []string{l.Right(o.Width, render.Span{Ink: render.Faint, Text: "  " + about}).String(), ""}
	blank := true
	space := func() {
		if !blank {
			lines = append(lines, "")
		}
		blank = true
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		lines = append(lines, GateStepLines(s, o, GateLook{})...)
		blank = false
		for k := range s.Findings {
			space()
			lines = append(lines, GateFindingLines(s, k, o, GateLook{})...)
			blank = false
		}
		if tail := GateTailLines(s, o); len(tail) > 0 {
			space()
			lines = append(lines, tail...)
			blank = false
		}
		if len(s.Findings) > 0 {
			space()
		}
	}
	space()
	return append(lines, GateVerdictLines(r, last, o)...)
}

// gateDraw draws the lines of a report.
type gateDraw struct {
	o     *GateOptions
	look  GateLook
	left  int // the column of the glyph
	end   int // column at which text ends
	lines []string
}

func newGateDraw(o *GateOptions, look GateLook) *gateDraw {
	d := &gateDraw{o: o, look: look, end: o.Width}
	if o.Screen {
		d.left, d.end = min(2, o.Width/8), max(o.Width-2, 1)
		if o.Width < gateNarrow {
			d.end = max(o.Width-1, 1)
		}
	}
	return d
}

func (d *gateDraw) line() *render.Line {
	l := render.NewLine(d.o.Styles, d.o.Width)
	if d.look.Chosen {
		l.Select(true).Put(render.AccentBold, "▌")
	}
	return l
}

func (d *gateDraw) add(l *render.Line) {
	if d.look.Chosen {
		l.To(d.o.Width)
	}
	d.lines = append(d.lines, l.String())
}

// column returns the start column of the figures.
func (d *gateDraw) column() int {
	if d.o.Screen && d.o.Width >= gateWide {
		return d.left + gateFigures
	}
	return d.left + gateFigure
}

func gateGlyph(s *gate.Step) render.Span {
	switch s.Status {
	case gate.Pass:
		return render.Span{Ink: render.Good, Text: "✓"}
	case gate.Fail:
		return render.Span{Ink: render.BadBold, Text: "✗"}
	case gate.Warning:
		return render.Span{Ink: render.Urgent, Text: "△"}
	case gate.Unknown:
		if s.Blocks {
			return render.Span{Ink: render.BadBold, Text: "✗"}
		}
		return render.Span{Ink: render.Urgent, Text: "△"}
	case gate.Off:
		return render.Span{Ink: render.Faint, Text: "·"}
	}
	return render.Span{Ink: render.Faint, Text: "…"} // the step hasn't run yet
}

// GateStepLines returns the lines of a step without its findings.
func GateStepLines(s *gate.Step, o GateOptions, look GateLook) []string {
	d := newGateDraw(&o, look)
	name := render.Bold
	if look.Chosen {
		name = render.Strong
	}
	figure, note := transcript.CleanLine(s.Figure), transcript.CleanLine(s.Note)
	l := d.line().To(d.left).Spans(gateGlyph(s)).To(d.left+gateNumber).Put(render.Faint, strconv.Itoa(s.N)).
		To(d.left+gateName).PutUntil(name, transcript.CleanLine(s.Name), d.end)
	column := d.column()
	if o.Width < gateNarrow {
		column = d.left + gateName
		beside := l.At()+2+ansi.StringWidth(figure) <= d.end
		if beside {
			l.Right(d.end, render.Span{Ink: gateInk(s), Text: "  " + figure})
		}
		if d.add(l); !beside {
			d.wrapped(column, gateInk(s), figure)
		}
		d.wrapped(column, render.Muted, note)
	} else {
		room := d.end - column
		beside := ansi.StringWidth(figure)+2+ansi.StringWidth(note) <= room
		l.To(column)
		if ansi.StringWidth(figure) > room {
			d.add(l)
			d.wrapped(column, gateInk(s), figure)
		} else {
			d.putFigure(l, s, figure)
			if beside {
				l.Right(d.end, render.Span{Ink: render.Muted, Text: "  " + note})
			}
			d.add(l)
		}
		if !beside {
			d.wrapped(column, render.Muted, note)
		}
	}
	if look.Folded && len(s.Findings) > 0 {
		d.add(d.line().To(column).PutUntil(render.Faint, "▸ "+words.Counted(len(s.Findings)+s.Left, "finding", "findings"), d.end))
	}
	if len(s.Findings) == 0 || look.Folded {
		for _, more := range d.remarks(s) {
			d.wrapped(column, render.Faint, transcript.CleanLine(more))
		}
	}
	return d.lines
}

// remarks returns the remarks on a step. The browser leaves out the result of the spec's script, because its number
// looks like the figure.
func (d *gateDraw) remarks(s *gate.Step) []string {
	if d.o.Screen {
		return s.More
	}
	return s.Remarks()
}

func gateInk(s *gate.Step) render.Ink {
	switch s.Status {
	case gate.Fail:
		return render.Bad
	case gate.Off:
		return render.Faint
	case gate.Unknown:
		return render.Warn
	case gate.Pass, gate.Warning:
	}
	return render.Text
}

func (d *gateDraw) putFigure(l *render.Line, s *gate.Step, figure string) {
	ink := gateInk(s)
	first, rest, ok := strings.Cut(figure, " ")
	if ink != render.Text || !ok || !strings.ContainsAny(first, "0123456789") || strings.Contains(figure, "→") {
		l.PutUntil(ink, figure, d.end)
		return
	}
	l.PutUntil(render.Text, first, d.end).PutUntil(render.Faint, " "+rest, d.end)
}

func (d *gateDraw) wrapped(column int, ink render.Ink, text string) {
	if text == "" {
		return
	}
	for _, s := range render.Wrap(text, max(d.end-column, 1)) {
		d.add(d.line().To(column).PutUntil(ink, s, d.end))
	}
}
