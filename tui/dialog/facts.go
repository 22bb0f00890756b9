package dialog

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Fact is a line of Facts.
type Fact struct{ Label, Value string }

// Facts shows values with their labels.
type Facts struct {
	base
	about string
	facts []Fact
	at    int // first visible line if the lines scroll
}

// NewFacts returns a dialog that shows facts. about is their subject.
func NewFacts(about string, facts []Fact) *Facts { return &Facts{about: about, facts: facts} }

// Says implements screen.Dialog. Facts shows no messages.
func (*Facts) Says() bool { return false }

// Keys implements screen.Screen.
func (*Facts) Keys() []screen.Binding {
	return append([]screen.Binding{
		on(closeIt, 0, "i", "q", "esc", "enter"),
		on(scroll, -1, "up", "k"), on(scroll, 1, "down", "j"), on(scroll, -page, "pgup"), on(scroll, page, "pgdown"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Facts) Do(do screen.Intent) []screen.Effect {
	if do.Name == closeIt {
		return pop()
	}
	d.at = min(max(d.at+do.N, 0), max(len(d.facts)-d.rows(), 0))
	return nil
}

// Click implements screen.Screen.
func (*Facts) Click(int, int) []screen.Effect { return pop() }

// rows returns how many facts are visible.
func (d *Facts) rows() int {
	if d.small() {
		return max(d.f.Height-3, 1)
	}
	return len(d.facts)
}

// small reports whether the dialog takes the whole screen.
func (d *Facts) small() bool { return d.f.Width < From || d.f.Height < len(d.facts)+5 }

// Over implements screen.Dialog.
func (d *Facts) Over(under []string) {
	width, left := d.f.Width, min(menuKey, d.f.Width/8)
	if !d.small() {
		width = min(menuWidth, width-2) - 2
	}
	column := left
	for _, f := range d.facts {
		column = max(column, left+ansi.StringWidth(f.Label)+3)
	}
	d.at = min(d.at, max(len(d.facts)-d.rows(), 0))
	drawn := []*render.Line{d.line(width)}
	if d.small() {
		drawn = []*render.Line{d.headLine("Facts", d.about), d.line(width)}
	}
	for _, f := range d.facts[d.at:min(d.at+d.rows(), len(d.facts))] {
		value := words.CutMiddle(f.Value, max(width-column-2, 1))
		drawn = append(drawn, d.line(width).To(left).Put(render.Muted, f.Label).To(column).Put(render.Text, value))
	}
	if d.small() {
		d.cover(under, drawn, d.closingLine())
		return
	}
	drawn = append(drawn, d.line(width), d.line(width).Right(width-1, closing()...))
	d.float(under, d.box(drawn, width, "Facts", d.about), width+2)
}
