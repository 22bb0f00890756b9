package ledgerlines

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/tui/render"
)

// truthText is the start column of a source's text, after the name of the source.
const truthText = 16

// TruthLines returns the lines about disagreements between the sources of a ledger. The winner's text is first. Without
// disagreements, there are no lines.
func TruthLines(r *truth.Report, st *render.Styles, width int) []string {
	if width < 1 {
		return nil
	}
	var lines []string
	put := func(l *render.Line) { lines = append(lines, l.String()) }
	column := min(truthText, width/3)
	for i := range r.List {
		d := &r.List[i]
		for k, s := range render.Wrap(PlainLine(d.About), max(width-4, 1)) {
			l := render.NewLine(st, width).To(2)
			if k == 0 {
				l.Put(render.Warn, "△")
			}
			put(l.To(4).PutUntil(render.Text, s, width))
		}
		for k := range d.Says {
			says, ink := &d.Says[k], render.Muted
			name := string(says.Source)
			if says.Line > 0 {
				name += ":" + strconv.Itoa(says.Line)
			}
			text := PlainLine(says.Text)
			if k == 0 {
				ink, text = render.Text, text+" (this wins)"
			}
			at := max(column, min(4+ansi.StringWidth(name)+2, width/2))
			for n, s := range render.Wrap(text, max(width-at, 1)) {
				l := render.NewLine(st, width).To(4)
				if n == 0 {
					l.PutUntil(render.Faint, name, at-1)
				}
				put(l.To(at).PutUntil(ink, s, width))
			}
		}
		for _, s := range render.Wrap(d.Do, max(width-4, 1)) {
			put(render.NewLine(st, width).To(4).PutUntil(render.Muted, s, width))
		}
	}
	if r.Left > 0 {
		put(render.NewLine(st, width).To(2).PutUntil(render.Faint, "… "+words.Counted(r.Left, "more disagreement", "more disagreements"), width))
	}
	return lines
}
