package dialog

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// LineOptions are the options of NewLine.
type LineOptions struct {
	Title string // title of the dialog
	About string // subject, shown on the upper edge
	Text  string // initial text of the field
	Hint  string // text below the field
	Most  int    // maximum length of the text, in bytes
	Verb  string // label of the key enter; "" means "save"
	// Take returns the effect to carry out with the confirmed text.
	Take func(text string) screen.Effect
}

// Line is a dialog that asks for one line of text.
type Line struct {
	base
	opts LineOptions
	in   field.Field
}

const (
	lineColumn = 4
	lineRows   = 4 // the field, a blank line, the hint, and a blank line
)

// NewLine returns a dialog that asks for a line of text.
func NewLine(o LineOptions) *Line {
	d := &Line{opts: o, in: field.New(o.Most)}
	d.in.Set(o.Text)
	return d
}

// Keys implements screen.Screen.
func (*Line) Keys() []screen.Binding {
	return append([]screen.Binding{on(enter, 0, "enter"), on(closeIt, 0, "esc")}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Line) Do(do screen.Intent) []screen.Effect {
	if do.Name == enter {
		return append(pop(), d.opts.Take(d.in.Text()))
	}
	return pop()
}

// Typed implements screen.Typed.
func (d *Line) Typed(msg tea.Msg) []screen.Effect {
	d.in.Type(msg)
	return nil
}

// Click implements screen.Screen.
func (*Line) Click(int, int) []screen.Effect { return pop() }

// size returns the width between the borders. small means that the dialog covers the whole screen.
func (d *Line) size() (inner int, small bool) {
	if d.f.Width < From || d.f.Height < lineRows+4 {
		return d.f.Width, true
	}
	return min(menuWidth, d.f.Width-2) - 2, false
}

// Cursor implements screen.Dialog.
func (d *Line) Cursor() (x, y int, ok bool) {
	inner, small := d.size()
	_, before := d.in.Seen(max(inner-lineColumn-2, 1))
	x = min(lineColumn+before, inner-1)
	if small {
		return x, 2, d.f.Height > 2
	}
	return x + (d.f.Width-inner)/2, max((d.f.Height-lineRows-3)/2, 0) + 1, true
}

// Over implements screen.Dialog.
func (d *Line) Over(under []string) {
	inner, small := d.size()
	typed, _ := d.in.Seen(max(inner-lineColumn-2, 1))
	drawn := []*render.Line{
		d.line(inner).To(lineColumn-2).Put(render.AccentBold, "❯ ").Put(render.Accent, typed),
		d.line(inner), d.line(inner).To(lineColumn).PutUntil(render.Faint, d.opts.Hint, inner-1), d.line(inner),
	}
	last := d.line(inner).To(min(2, inner/8)).Put(render.Strong, "enter").Put(render.Muted, " "+cmp.Or(d.opts.Verb, "save"))
	last = d.orMessage(last.Right(inner-1, render.Span{Ink: render.Strong, Text: "esc"}, render.Span{Ink: render.Muted, Text: " cancel"}), inner)
	if small {
		d.cover(under, append([]*render.Line{d.headLine(d.opts.Title, d.opts.About), d.line(inner)}, drawn...), last)
		return
	}
	d.float(under, d.box(append(drawn, last), inner, d.opts.Title, d.opts.About), inner+2)
}
