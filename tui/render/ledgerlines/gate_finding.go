package ledgerlines

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// rail starts a line that belongs to a finding.
func (d *gateDraw) rail() *render.Line {
	l := d.line()
	if d.o.Screen && d.o.Width >= 24 {
		l.To(d.left+gateNumber).Put(render.Rule, "│")
	}
	return l
}

// GateFindingLines returns the lines of finding i of a step: the title, the problem and the fix.
func GateFindingLines(s *gate.Step, i int, o GateOptions, look GateLook) []string {
	d, f := newGateDraw(&o, look), &s.Findings[i]
	text, ref := d.left+gateName, d.left+gateName
	before, title := "", PlainLine(f.Title)
	switch {
	case !o.Screen && f.File != "":
		before = GatePlace(f)
	case o.Screen:
		before = entryDay(f.When, o.Now)
	}
	wide := o.Screen && o.Width >= gateNarrow
	if wide {
		text, ref = d.left+gateTitle, d.left+gateTitle
	}
	ink := render.Bold
	if look.Chosen {
		ink = render.Strong
	}
	d.title(text, before, title, ink, wide)
	glyph, wrong := render.Span{Ink: render.Bad, Text: "✗"}, render.Bad
	switch {
	case f.Mild:
		glyph, wrong = render.Span{Ink: render.Faint, Text: "·"}, render.Muted
	case s.Status != gate.Fail:
		glyph, wrong = render.Span{Ink: render.Warn, Text: "△"}, render.Warn
	}
	d.wrong(ref, f, glyph, wrong)
	d.fix(ref, f)
	return d.lines
}

// GateRail returns the line between two findings.
func GateRail(o GateOptions) string { return newGateDraw(&o, GateLook{}).rail().String() }

// title draws the title of a finding, in at most three lines.
func (d *gateDraw) title(column int, before, title string, ink render.Ink, wide bool) {
	const most = 3
	if title == "" && before == "" {
		return
	}
	if wide {
		l := d.rail().To(d.left+gateName).Put(render.Faint, before)
		d.paragraph(l, column, title, ink, most)
		return
	}
	l := d.rail().To(column)
	if before != "" {
		l.PutUntil(render.Faint, before+"  ", d.end)
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

// paragraph draws a text of at most limit lines. Its first line continues l.
func (d *gateDraw) paragraph(l *render.Line, column int, text string, ink render.Ink, limit int) {
	rows := render.Wrap(text, max(d.end-column, 1))
	if len(rows) > limit {
		rows = append(rows[:limit-1], strings.Join(rows[limit-1:], " "))
	}
	for i, row := range rows {
		if i > 0 {
			l = d.rail()
		}
		d.add(l.To(column).PutUntil(ink, row, d.end))
	}
}

// wrong draws a code reference and its problem.
func (d *gateDraw) wrong(column int, f *gate.Finding, glyph render.Span, ink render.Ink) {
	ref, what := gateRef(f.Ref), transcript.CleanLine(f.What)
	if ref == "" && what == "" {
		return
	}
	l := d.rail().To(column).Spans(glyph).To(column + 2)
	at, room := column+gateWhat, d.end-column-2
	if d.o.Screen {
		at = column + gateWhats
	}
	if ref == "" {
		d.paragraph(l, column+2, what, ink, 4)
		return
	}
	w := ansi.StringWidth(what)
	switch {
	case what == "":
		d.add(l.PutUntil(render.Text, words.CutMiddle(ref, room), d.end))
	case ansi.StringWidth(ref) <= at-column-4 && w <= d.end-at:
		d.add(l.Put(render.Text, ref).To(at).PutUntil(ink, what, d.end))
	case ansi.StringWidth(ref)+2+w <= room:
		d.add(l.Put(render.Text, ref).Put(ink, "  "+what))
	default:
		d.add(l.PutUntil(render.Text, words.CutMiddle(ref, max(room, 1)), d.end))
		d.paragraph(d.rail(), column+2, what, ink, 4)
	}
}

// fix draws the fix of a finding, and the key that applies it.
func (d *gateDraw) fix(column int, f *gate.Finding) {
	text := transcript.CleanLine(f.Fix)
	var key []render.Span
	if d.o.Screen {
		key = gateFixKey(f)
	}
	if text == "" {
		return
	}
	at := column + 5
	if !d.o.Screen {
		column, at = column+2, column+8
	}
	room := d.end - at
	if w := render.SpansWidth(key); w > 0 && room-w-2 >= 24 {
		room -= w + 2
	} else {
		key = nil
	}
	code := false
	for i, row := range render.Wrap(text, max(room, 1)) {
		l := d.rail().To(column)
		if i == 0 {
			l.PutUntil(render.Faint, "fix", d.end)
		}
		l.To(at)
		code = d.coded(l, row, code)
		if i == 0 {
			l.Right(d.end, key...)
		}
		d.add(l)
	}
}

// coded draws a text with inline code. code and the result report whether the text's start and end are inside inline
// code.
func (d *gateDraw) coded(l *render.Line, text string, code bool) bool {
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			l.PutUntil(render.Faint, "`", d.end)
			code = !code
		}
		ink := render.Text
		if code {
			ink = render.Code
		}
		l.PutUntil(ink, part, d.end)
	}
	return code
}

// gateFixKey returns the key that fixes a finding, and its label; nil if there is no key.
func gateFixKey(f *gate.Finding) []render.Span {
	switch {
	case CanFix(f):
		return []render.Span{{Ink: render.Strong, Text: "enter"}, {Ink: render.Muted, Text: " apply"}}
	case f.File != "":
		return []render.Span{{Ink: render.Strong, Text: "e"}, {Ink: render.Muted, Text: " edit"}}
	}
	return nil
}

// CanFix reports whether continuo can apply the fix of a finding.
func CanFix(f *gate.Finding) bool { return f.Was != "" && f.Now != "" && f.File != "" }

// GatePlace returns the file and the line of a finding, such as "NOTES.md:268", or "".
func GatePlace(f *gate.Finding) string {
	if f.File == "" {
		return ""
	}
	name := transcript.CleanLine(render.Base(f.File))
	if f.Line > 0 {
		name += ":" + strconv.Itoa(f.Line)
	}
	return name
}

// gateRef returns a code reference with a path relative to the root of the project.
func gateRef(ref string) string {
	ref = strings.TrimPrefix(transcript.CleanLine(ref), "${PROJECT_ROOT}")
	return strings.TrimPrefix(ref, "/")
}

// GateTailLines returns the lines after the findings of a step: the number of unlisted findings, and remarks.
func GateTailLines(s *gate.Step, o GateOptions) []string {
	if len(s.Findings) == 0 {
		return nil
	}
	d := newGateDraw(&o, GateLook{})
	put := func(text string) {
		for _, row := range render.Wrap(text, max(d.end-d.left-gateName, 1)) {
			d.add(d.rail().To(d.left+gateName).PutUntil(render.Faint, row, d.end))
		}
	}
	if s.Left > 0 {
		put("… " + words.Counted(s.Left, "more finding", "more findings"))
	}
	for _, more := range d.remarks(s) {
		put(transcript.CleanLine(more))
	}
	return d.lines
}
