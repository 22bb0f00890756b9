package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Command is an entry of the palette.
type Command struct {
	Name, Group, Key string
	Off              string // reason why the command is disabled, or ""
	Do               screen.Effect
	lit              []int // offsets of the letters of Name that match
}

const (
	paletteWidth = 72
	paletteRows  = 14
	paletteGroup = 34 // column at which the group starts
	paletteCount = 20 // cells of the first line outside of the field
	paletteFrame = 6  // the borders, the field, the rule, a blank line, and the keys
)

// Palette is a list of commands. Typing filters it, and enter runs the selected command.
type Palette struct {
	base
	in    field.Field // filter
	all   []Command
	shown []Command
	list  blocks.List // the list of the shown commands
}

// NewPalette returns a palette of commands.
func NewPalette(all []Command) *Palette {
	d := &Palette{in: field.New(field.Words), all: all}
	d.show(all)
	return d
}

// show lists commands and selects the first one.
func (d *Palette) show(commands []Command) {
	d.shown, d.list = commands, blocks.List{Items: blocks.Choices(len(commands)), Rows: d.list.Rows}
}

// Says implements screen.Dialog. The palette doesn't draw messages.
func (*Palette) Says() bool { return false }

// Keys implements screen.Screen.
func (*Palette) Keys() []screen.Binding {
	return append([]screen.Binding{
		on(enter, 0, "enter"), on(closeIt, 0, "esc"),
		on(by, -1, "up", "ctrl+p"), on(by, 1, "down", "ctrl+n"), on(by, -page, "pgup"), on(by, page, "pgdown"),
	}, screen.Common(screen.Quit)...)
}

// Fit implements screen.Screen.
func (d *Palette) Fit(f screen.Frame) []screen.Effect {
	d.f = f
	_, d.list.Rows, _ = d.size()
	return nil
}

// Do implements screen.Screen.
func (d *Palette) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.run()
	case closeIt:
		return pop()
	}
	d.list.Move(do.N)
	return nil
}

// Typed implements screen.Typed.
func (d *Palette) Typed(msg tea.Msg) []screen.Effect {
	if d.in.Type(msg) {
		d.show(matching(d.all, d.in.Text()))
	}
	return nil
}

// Click implements screen.Screen.
func (*Palette) Click(int, int) []screen.Effect { return pop() }

// Wheel implements screen.Screen.
func (d *Palette) Wheel(_, _, rows int) []screen.Effect {
	return d.Do(screen.Intent{Name: by, N: rows / screen.Notch})
}

// run closes the palette and runs the selected command.
func (d *Palette) run() []screen.Effect {
	if len(d.shown) == 0 {
		return pop()
	}
	c := d.shown[d.list.At]
	if c.Off != "" {
		return append(pop(), screen.Tell{Text: c.Name + ": " + c.Off})
	}
	return append(pop(), c.Do)
}

// names implements fuzzy.Source.
type names []Command

func (n names) String(i int) string { return n[i].Name }
func (n names) Len() int            { return len(n) }

// matching returns the commands that match the input, best match first.
func matching(all []Command, input string) []Command {
	if strings.TrimSpace(input) == "" {
		return all
	}
	var shown []Command
	for _, m := range fuzzy.FindFrom(strings.TrimSpace(input), names(all)) {
		c := all[m.Index]
		c.lit = m.MatchedIndexes
		shown = append(shown, c)
	}
	return shown
}

// size returns the width of a line and the height of the list. small means that the palette covers the whole screen.
func (d *Palette) size() (inner, rows int, small bool) {
	if d.f.Width < From || d.f.Height < 10 {
		return d.f.Width, max(d.f.Height-3, 1), true
	}
	return paletteWidth - 2, max(min(paletteRows, d.f.Height-6), 1), false
}

// listed returns the height of the list for any typed text.
func (d *Palette) listed(rows int) int { return max(min(rows, len(d.all)), 1) }

// Cursor implements screen.Dialog.
func (d *Palette) Cursor() (x, y int, ok bool) {
	inner, rows, small := d.size()
	_, before := d.in.Seen(inner - paletteCount)
	if x = 4 + before; small {
		return x, 0, x < inner
	}
	return (d.f.Width-inner)/2 + x, max((d.f.Height-d.listed(rows)-paletteFrame)/2, 0) + 1, true
}

// Over implements screen.Dialog.
func (d *Palette) Over(under []string) {
	inner, rows, small := d.size()
	typed, _ := d.in.Seen(inner - paletteCount)
	field := d.line(inner).To(2).Put(render.AccentBold, ": ").Put(render.Accent, typed)
	field.Right(inner-2, render.Span{Ink: render.Faint, Text: words.Count(len(d.shown)) + " of " + words.Count(len(d.all))})
	rule := d.line(inner).Put(render.Rule, strings.Repeat("─", inner))
	drawn := []*render.Line{field, rule}
	d.list.Center()
	for _, s := range d.list.Visible() {
		drawn = append(drawn, d.command(d.shown[s.Item], s.Item == d.list.At, inner))
	}
	if len(d.shown) == 0 {
		drawn = append(drawn, d.line(inner).To(4).Put(render.Muted, "No matching command."))
	}
	if small {
		d.cover(under, drawn, d.closingLine())
		return
	}
	for len(drawn) < 2+d.listed(rows) {
		drawn = append(drawn, d.line(inner))
	}
	last := d.line(inner).To(2).Put(render.Strong, "enter").Put(render.Muted, " run").Right(inner-1, closing()...)
	d.float(under, d.box(append(drawn, d.line(inner), last), inner, "Commands", ""), paletteWidth)
}

func (d *Palette) command(c Command, chosen bool, inner int) *render.Line {
	l := d.line(inner)
	name, group := render.Text, render.Faint
	if chosen {
		l.Put(render.AccentBold, "▌")
		name = render.Strong
	}
	if c.Off != "" {
		name = render.Faint
		c.Group = "(" + c.Off + ")"
	}
	end := min(paletteGroup, inner-12)
	l.To(3)
	for _, s := range render.LitSpans(c.Name, c.lit, name) {
		l.PutUntil(s.Ink, s.Text, end)
	}
	l.To(paletteGroup).PutUntil(group, c.Group, inner-12)
	return l.Right(inner-2, render.Span{Ink: render.Muted, Text: " " + c.Key})
}
