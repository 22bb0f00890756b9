package render

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
)

// truthText is the column of what a source says, behind its name.
const truthText = 16

// TruthLines draws where the sources of a ledger disagree: what it is about, what each says, the one that wins first, and
// what to do. Nothing is drawn where they agree.
func TruthLines(r *truth.Report, st *Styles, width int) []string {
	if width < 1 {
		return nil
	}
	var lines []string
	put := func(l *Line) { lines = append(lines, l.String()) }
	column := min(truthText, width/3)
	for i := range r.List {
		d := &r.List[i]
		for k, s := range Wrap(PlainLine(d.About), max(width-4, 1)) {
			l := NewLine(st, width).To(2)
			if k == 0 {
				l.Put(Warn, "△")
			}
			put(l.To(4).PutUntil(Text, s, width))
		}
		for k := range d.Says {
			says, ink := &d.Says[k], Muted
			name := string(says.Source)
			if says.Line > 0 {
				name += ":" + strconv.Itoa(says.Line)
			}
			text := PlainLine(says.Text)
			if k == 0 {
				ink, text = Text, text+" (this wins)"
			}
			at := max(column, min(4+ansi.StringWidth(name)+2, width/2))
			for n, s := range Wrap(text, max(width-at, 1)) {
				l := NewLine(st, width).To(4)
				if n == 0 {
					l.PutUntil(Faint, name, at-1)
				}
				put(l.To(at).PutUntil(ink, s, width))
			}
		}
		for _, s := range Wrap(d.Do, max(width-4, 1)) {
			put(NewLine(st, width).To(4).PutUntil(Muted, s, width))
		}
	}
	if r.Left > 0 {
		put(NewLine(st, width).To(2).PutUntil(Faint, "… "+words.Counted(r.Left, "more disagreement", "more disagreements"), width))
	}
	return lines
}
