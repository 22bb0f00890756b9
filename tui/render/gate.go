package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/transcript"
)

// GateOptions say how a report of the gate is drawn.
type GateOptions struct {
	Width  int // cells
	Styles *Styles
	Now    time.Time
	Screen bool // of the browser: with the column of the bar, a rail before the findings, and the keys behind their fixes
	Blanks bool // there is room for blank lines between findings
}

// GateLook is how one thing of a report is drawn.
type GateLook struct {
	Chosen bool // the bar stands on it
	Folded bool // of a step: its findings are not shown
}

// The columns of a report, from that of the glyph. Under gateNarrow all of a step stands one below the other.
const (
	gateNumber  = 2
	gateName    = 5
	gateFigure  = 27
	gateFigures = 32 // on a wide screen
	gateWide    = 110
	gateNarrow  = 64
	gateTitle   = 13 // of a finding on the screen, behind the day
	gateWhat    = 34 // from the glyph of an identifier to what is wrong with it
)

// GateSteps are the names of the steps in their order, for a report that is not there yet.
func GateSteps(mode gate.Mode) []string {
	names := []string{"Grounding", "Negative grounding", "Decision log", "Bead", "Handoff", "Decay to identifiers", "Test scenarios"}
	if mode == gate.Simplified {
		return names[:3]
	}
	return names
}

// GateBefore is the command of the client that a mode stands before.
func GateBefore(mode gate.Mode) string {
	if mode == gate.Full {
		return "/clear"
	}
	return "/compact"
}

// GateHead is what stands over a report: how much of the gate it is and how strict, and what for.
func GateHead(mode gate.Mode, enforcement string) (head, about string) {
	head = string(mode) + ", " + strconv.Itoa(len(GateSteps(mode))) + " steps"
	if enforcement != "" {
		head += ", " + transcript.CleanLine(enforcement)
	}
	return head, "what must hold before " + GateBefore(mode)
}

// GateLines are a report for a command: head, steps with their findings, verdict. said is its last sentence: what was
// written.
func GateLines(r *gate.Report, said string, o GateOptions) []string {
	o.Screen = false
	head, about := GateHead(r.Mode, string(r.Enforcement))
	l := NewLine(o.Styles, o.Width).Put(Strong, "Gate").Put(Muted, ", "+head)
	lines := []string{l.Right(o.Width, Span{Faint, "  " + about}).String(), ""}
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
	return append(lines, GateVerdictLines(r, said, o)...)
}

// gateDraw draws lines of a report.
type gateDraw struct {
	o     *GateOptions
	look  GateLook
	left  int // column of the glyph
	end   int // before which everything ends
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

// line begins a line, with the bar where it stands here.
func (d *gateDraw) line() *Line {
	l := NewLine(d.o.Styles, d.o.Width)
	if d.look.Chosen {
		l.Select(true).Put(AccentBold, "▌")
	}
	return l
}

func (d *gateDraw) add(l *Line) {
	if d.look.Chosen {
		l.To(d.o.Width)
	}
	d.lines = append(d.lines, l.String())
}

// column is where figures stand.
func (d *gateDraw) column() int {
	if d.o.Screen && d.o.Width >= gateWide {
		return d.left + gateFigures
	}
	return d.left + gateFigure
}

// GateGlyph stands before a step.
func GateGlyph(s *gate.Step) Span {
	switch s.Status {
	case gate.Pass:
		return Span{Good, "✓"}
	case gate.Fail:
		return Span{BadBold, "✗"}
	case gate.Warning:
		return Span{Urgent, "△"}
	case gate.Unknown:
		if s.Blocks {
			return Span{BadBold, "✗"}
		}
		return Span{Urgent, "△"}
	case gate.Off:
	}
	return Span{Faint, "·"}
}

// GateStepLines draws a step without its findings.
func GateStepLines(s *gate.Step, o GateOptions, look GateLook) []string {
	d := newGateDraw(&o, look)
	name := Bold
	if look.Chosen {
		name = Strong
	}
	figure, note := transcript.CleanLine(s.Figure), transcript.CleanLine(s.Note)
	l := d.line().To(d.left).Spans(GateGlyph(s)).To(d.left+gateNumber).Put(Faint, strconv.Itoa(s.N)).
		To(d.left+gateName).PutUntil(name, transcript.CleanLine(s.Name), d.end)
	column := d.column()
	if o.Width < gateNarrow {
		column = d.left + gateName
		d.add(l)
		d.wrapped(column, gateInk(s), figure)
		d.wrapped(column, Muted, note)
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
				l.Right(d.end, Span{Muted, "  " + note})
			}
			d.add(l)
		}
		if !beside {
			d.wrapped(column, Muted, note)
		}
	}
	if look.Folded && len(s.Findings) > 0 {
		d.add(d.line().To(column).PutUntil(Faint, "▸ "+Counted(len(s.Findings)+s.Left, "finding", "findings"), d.end))
	}
	if len(s.Findings) == 0 || look.Folded {
		for _, more := range s.More {
			d.wrapped(column, Faint, transcript.CleanLine(more))
		}
	}
	return d.lines
}

// gateInk is that of what was counted.
func gateInk(s *gate.Step) Ink {
	switch s.Status {
	case gate.Fail:
		return Bad
	case gate.Off:
		return Faint
	case gate.Unknown:
		return Warn
	case gate.Pass, gate.Warning:
	}
	return Text
}

// putFigure puts what was counted: a number, then quieter what it is one of.
func (d *gateDraw) putFigure(l *Line, s *gate.Step, figure string) {
	ink := gateInk(s)
	first, rest, ok := strings.Cut(figure, " ")
	if ink != Text || !ok || !strings.ContainsAny(first, "0123456789") || strings.Contains(figure, "→") {
		l.PutUntil(ink, figure, d.end)
		return
	}
	l.PutUntil(Text, first, d.end).PutUntil(Faint, " "+rest, d.end)
}

// wrapped puts a text below what is there.
func (d *gateDraw) wrapped(column int, ink Ink, text string) {
	if text == "" {
		return
	}
	for _, s := range Wrap(text, max(d.end-column, 1)) {
		d.add(d.line().To(column).PutUntil(ink, s, d.end))
	}
}

// rail begins a line of a finding.
func (d *gateDraw) rail() *Line {
	l := d.line()
	if d.o.Screen && d.o.Width >= 24 {
		l.To(d.left+gateNumber).Put(Rule, "│")
	}
	return l
}

// GateFindingLines draws a finding of a step: what it is about, what is wrong, what mends it.
func GateFindingLines(s *gate.Step, i int, o GateOptions, look GateLook) []string {
	d, f := newGateDraw(&o, look), &s.Findings[i]
	text, ref := d.left+gateName, d.left+gateName
	before, title := "", PlainLine(f.Title)
	switch {
	case !o.Screen && f.File != "":
		before = GatePlace(f)
	case o.Screen:
		before = EntryDay(f.When, o.Now)
	}
	wide := o.Screen && o.Width >= gateNarrow
	if wide {
		text, ref = d.left+gateTitle, d.left+gateTitle
	}
	ink := Bold
	if look.Chosen {
		ink = Strong
	}
	d.title(text, before, title, ink, wide)
	glyph, wrong := Span{Bad, "✗"}, Bad
	switch {
	case f.Mild:
		glyph, wrong = Span{Faint, "·"}, Muted
	case s.Status != gate.Fail:
		glyph, wrong = Span{Warn, "△"}, Warn
	}
	d.wrong(ref, f, glyph, wrong)
	d.fix(ref, f)
	if o.Screen && o.Blanks {
		d.lines = append(d.lines, NewLine(o.Styles, o.Width).To(d.left+gateNumber).Put(Rule, "│").String())
	}
	return d.lines
}

// title puts what a finding is about, in at most three lines.
func (d *gateDraw) title(column int, before, title string, ink Ink, wide bool) {
	const most = 3
	if title == "" && before == "" {
		return
	}
	if wide {
		l := d.rail().To(d.left+gateName).Put(Faint, before)
		d.paragraph(l, column, title, ink, most)
		return
	}
	l := d.rail().To(column)
	if before != "" {
		l.PutUntil(Faint, before+"  ", d.end)
	}
	if room := d.end - l.At(); ansi.StringWidth(title) <= room {
		d.add(l.PutUntil(ink, title, d.end))
		return
	}
	if before != "" {
		d.add(l)
		l = d.rail()
	}
	d.paragraph(l, column, title, ink, most)
}

// paragraph puts a text on a line and below it.
func (d *gateDraw) paragraph(l *Line, column int, text string, ink Ink, most int) {
	rows := Wrap(text, max(d.end-column, 1))
	if len(rows) > most {
		rows = append(rows[:most-1], strings.Join(rows[most-1:], " "))
	}
	for i, row := range rows {
		if i > 0 {
			l = d.rail()
		}
		d.add(l.To(column).PutUntil(ink, row, d.end))
	}
}

// wrong puts the identifier, and what is wrong there.
func (d *gateDraw) wrong(column int, f *gate.Finding, glyph Span, ink Ink) {
	ref, what := gateRef(f.Ref), transcript.CleanLine(f.What)
	if ref == "" && what == "" {
		return
	}
	l := d.rail().To(column).Spans(glyph).To(column + 2)
	at, room := column+gateWhat, d.end-column-2
	if ref == "" {
		d.paragraph(l, column+2, what, ink, 4)
		return
	}
	w := ansi.StringWidth(what)
	switch {
	case what == "":
		d.add(l.PutUntil(Text, CutMiddle(ref, room), d.end))
	case ansi.StringWidth(ref) <= gateWhat-4 && w <= d.end-at:
		d.add(l.Put(Text, ref).To(at).PutUntil(ink, what, d.end))
	case ansi.StringWidth(ref)+2+w <= room:
		d.add(l.Put(Text, ref).Put(ink, "  "+what))
	default:
		d.add(l.PutUntil(Text, CutMiddle(ref, max(room, 1)), d.end))
		d.paragraph(d.rail(), column+2, what, ink, 4)
	}
}

// fix puts what mends it, with the key that does so.
func (d *gateDraw) fix(column int, f *gate.Finding) {
	text := transcript.CleanLine(f.Fix)
	var key []Span
	if d.o.Screen {
		key = GateFixKey(f)
	}
	if text == "" {
		return
	}
	at := column + 5
	if !d.o.Screen {
		column, at = column+2, column+8
	}
	room := d.end - at
	if w := SpansWidth(key); w > 0 && room-w-2 >= 24 {
		room -= w + 2
	} else {
		key = nil
	}
	code := false
	for i, row := range Wrap(text, max(room, 1)) {
		l := d.rail().To(column)
		if i == 0 {
			l.PutUntil(Faint, "fix", d.end)
		}
		l.To(at)
		code = d.coded(l, row, code)
		if i == 0 {
			l.Right(d.end, key...)
		}
		d.add(l)
	}
}

// coded puts a text whose pieces between backticks are code. The backticks stay. It reports whether one is open.
func (d *gateDraw) coded(l *Line, text string, code bool) bool {
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			l.PutUntil(Faint, "`", d.end)
			code = !code
		}
		ink := Text
		if code {
			ink = Code
		}
		l.PutUntil(ink, part, d.end)
	}
	return code
}

// GateFixKey is the key that mends a finding, and what it does; nil: none does.
func GateFixKey(f *gate.Finding) []Span {
	switch {
	case CanFix(f):
		return []Span{{Strong, "enter"}, {Muted, " apply"}}
	case f.File != "":
		return []Span{{Strong, "e"}, {Muted, " edit"}}
	}
	return nil
}

// CanFix reports whether the fix of a finding can be applied.
func CanFix(f *gate.Finding) bool { return f.Was != "" && f.Now != "" && f.File != "" }

// GatePlace is where a finding is mended: "NOTES.md:268"; "" nowhere in particular.
func GatePlace(f *gate.Finding) string {
	if f.File == "" {
		return ""
	}
	name := transcript.CleanLine(Base(f.File))
	if f.Line > 0 {
		name += ":" + strconv.Itoa(f.Line)
	}
	return name
}

// gateRef is an identifier as it is shown: below the root.
func gateRef(ref string) string {
	ref = strings.TrimPrefix(transcript.CleanLine(ref), "${PROJECT_ROOT}")
	return strings.TrimPrefix(ref, "/")
}

// GateTailLines is what stands under the findings of a step: how many more there are, and what else is to be said.
func GateTailLines(s *gate.Step, o GateOptions) []string {
	if len(s.Findings) == 0 {
		return nil
	}
	d := newGateDraw(&o, GateLook{})
	put := func(text string) {
		for _, row := range Wrap(text, max(d.end-d.left-gateName, 1)) {
			d.add(d.rail().To(d.left+gateName).PutUntil(Faint, row, d.end))
		}
	}
	if s.Left > 0 {
		put("… " + Counted(s.Left, "more finding", "more findings"))
	}
	for _, more := range s.More {
		put(transcript.CleanLine(more))
	}
	return d.lines
}
