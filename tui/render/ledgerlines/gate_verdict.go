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

// GateVerdictLines returns the lines of the verdict. In the browser, the lines have the command's exit code. last is
// the end of the verdict.
func GateVerdictLines(r *gate.Report, last string, o GateOptions) []string {
	d := newGateDraw(&o, GateLook{})
	glyph, word := gateVerdict(r)
	text := gateCounts(r)
	if last = transcript.CleanLine(last); last != "" {
		text += " " + last
	}
	exit := ""
	if o.Screen {
		exit = "  exit " + strconv.Itoa(r.Exit())
	}
	column := d.left + 2
	rows := render.Wrap(word+" "+text, max(d.end-column-ansi.StringWidth(exit), 1))
	if o.Most > 0 && len(rows) > o.Most {
		rows = append(rows[:o.Most-1], strings.Join(rows[o.Most-1:], " "))
	}
	for i, row := range rows {
		l := d.line().To(d.left)
		if i == 0 {
			l.Spans(glyph)
		}
		l.To(column)
		if i == 0 && strings.HasPrefix(row, word) {
			l.PutUntil(render.Strong, word, d.end)
			row = row[len(word):]
		}
		l.PutUntil(render.Muted, row, max(d.end-ansi.StringWidth(exit), 1))
		if i == 0 && exit != "" {
			l.Right(d.end, render.Span{Ink: render.Faint, Text: exit})
		}
		d.add(l)
	}
	return d.lines
}

func gateVerdict(r *gate.Report) (glyph render.Span, word string) {
	switch r.Verdict {
	case gate.Passed:
		if r.Count(gate.Warning) > 0 {
			return render.Span{Ink: render.Urgent, Text: "△"}, "Passed."
		}
		return render.Span{Ink: render.GoodBold, Text: "✓"}, "Passed."
	case gate.Rejected:
		return render.Span{Ink: render.BadBold, Text: "✗"}, "Failed."
	case gate.Unsure:
	}
	return render.Span{Ink: render.BadBold, Text: "✗"}, "Could not be checked."
}

// gateCounts returns the number of steps with each status, and the number of broken decisions.
func gateCounts(r *gate.Report) string {
	var parts []string
	for _, c := range []struct {
		status    gate.Status
		one, many string
	}{
		{gate.Pass, "passed", "passed"},
		{gate.Fail, "failed", "failed"},
		{gate.Warning, "warning", "warnings"},
		{gate.Unknown, "not checked", "not checked"},
		{gate.Off, "off", "off"},
	} {
		if n := r.Count(c.status); n > 0 {
			parts = append(parts, words.Counted(n, c.one, c.many))
		}
	}
	text := strings.Join(parts, ", ") + "."
	n := 0
	for i := range r.Steps {
		n += r.Steps[i].Lost
	}
	switch {
	case n > 0 && r.Verdict == gate.Passed:
		text += " " + words.Counted(n, "decision points", "decisions point") + " to missing code (warning only)."
	case n > 0:
		text += " " + words.Counted(n, "decision points", "decisions point") + " to missing code. Fix " + pronoun(n) + " before " + gateBefore(r.Mode) + "."
	}
	return text
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
