// Package dialog has the panels that are drawn over a screen, such as menus, plans and the help. No other panels have a
// border.
package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// base has the methods of screen.Dialog that most dialogs share.
type base struct{ f screen.Frame }

// Open implements screen.Screen.
func (*base) Open() []screen.Effect { return nil }

// Close implements screen.Screen.
func (*base) Close() []screen.Effect { return nil }

// Name implements screen.Screen. Dialogs have no name. The help shows the name of the screen below.
func (*base) Name() string { return "" }

// Took implements screen.Screen.
func (*base) Took(tea.Msg) []screen.Effect { return nil }

// Shape implements screen.Screen. A dialog doesn't change the layout of the screen below.
func (*base) Shape(int, int) screen.Shape { return screen.Shape{} }

// Fit implements screen.Screen.
func (d *base) Fit(f screen.Frame) []screen.Effect {
	d.f = f
	return nil
}

// View implements screen.Screen. It returns an empty view, because Over draws the dialog.
func (*base) View() screen.View { return screen.View{} }

// Subject implements screen.Screen.
func (*base) Subject() screen.Subject { return screen.Subject{} }

// Wheel implements screen.Screen.
func (*base) Wheel(int, int, int) []screen.Effect { return nil }

// Cursor implements screen.Dialog, for a dialog without a text field.
func (*base) Cursor() (x, y int, ok bool) { return 0, 0, false }

// Says implements screen.Dialog.
func (*base) Says() bool { return true }

// Intents of dialogs.
const (
	enter   = "dialog-enter"
	copied  = "dialog-copy"
	by      = "dialog-by"     // moves the bar by N items
	scroll  = "dialog-scroll" // scrolls by N lines
	closeIt = "dialog-close"
)

// on returns a binding without texts. The footer, the help and the palette don't list it.
func on(do string, n int, keys ...string) screen.Binding {
	return screen.Binding{Keys: keys, Do: screen.Intent{Name: do, N: n}}
}

// From is the minimum terminal width, in columns, for a dialog with a border. A narrower dialog covers the whole
// screen.
const From = 72

// Widths in the upper edge of a dialog, in cells.
const (
	boxTitle   = 9 // blanks around the title, and the shortest edge
	leastAbout = 4 // a subject that would be shorter is left out
)

func pop() []screen.Effect { return []screen.Effect{screen.Pop{}} }

func tell(text string) []screen.Effect { return []screen.Effect{screen.Tell{Text: text}} }

// sentence returns an error as a sentence.
func (d *base) sentence(err error) string { return screen.Sentence(err, d.f.Home) }

func (d *base) line(width int) *render.Line { return render.NewLine(d.f.Styles, width) }

// box draws a border around lines of inner cells. name is at the left of the upper edge, right at the right.
func (d *base) box(lines []*render.Line, inner int, name, right string) []string {
	drawn := make([]string, len(lines))
	for i, l := range lines {
		drawn[i] = l.String()
	}
	return d.boxText(drawn, inner, name, right)
}

// boxText is like box, for lines that are already strings.
func (d *base) boxText(lines []string, inner int, name, right string) []string {
	st := d.f.Styles
	if over := ansi.StringWidth(name) + ansi.StringWidth(right) + boxTitle - inner; right != "" && over > 0 {
		right = words.Cut(right, max(ansi.StringWidth(right)-over, 0))
		if ansi.StringWidth(right) < leastAbout {
			right = ""
		}
	}
	name = words.Cut(name, max(inner-4, 0))
	fill := inner - 4 - ansi.StringWidth(name)
	if right != "" {
		right = " " + right + " "
		fill -= ansi.StringWidth(right) + 1
	}
	upper := st.Paint(render.Rule, "╭─ ") + st.Paint(render.Strong, name) + st.Paint(render.Rule, " "+strings.Repeat("─", max(fill, 0)))
	if right != "" {
		upper += st.Paint(render.Muted, right) + st.Paint(render.Rule, "─")
	}
	drawn := []string{upper + st.Paint(render.Rule, "─╮")}
	edge := st.Paint(render.Rule, "│")
	for _, l := range lines {
		drawn = append(drawn, edge+render.Pad(l, inner)+edge)
	}
	return append(drawn, st.Paint(render.Rule, "╰"+strings.Repeat("─", inner)+"╯"))
}

// float draws a panel in the middle of the screen, which becomes faint.
func (d *base) float(lines, panel []string, width int) {
	d.floatAt(lines, panel, width, max((d.f.Height-len(panel))/2, 0))
}

// floatAt draws a panel at row y of the screen, which becomes faint.
func (d *base) floatAt(lines, panel []string, width, y int) {
	x := (d.f.Width - width) / 2
	for i := range lines {
		plain := render.Pad(ansi.Strip(lines[i]), d.f.Width)
		if i < y || i >= y+len(panel) {
			lines[i] = d.f.Styles.Paint(render.Behind, strings.TrimRight(plain, " "))
			continue
		}
		left := ansi.Cut(plain, 0, x)
		right := ansi.Cut(plain, x+width, d.f.Width)
		lines[i] = d.f.Styles.Paint(render.Behind, render.Pad(left, x)) + panel[i-y] + d.f.Styles.Paint(render.Behind, strings.TrimRight(right, " "))
	}
}

// cover draws a panel without a border over the whole screen. last is the bottom line.
func (d *base) cover(lines []string, panel []*render.Line, last *render.Line) {
	for i := range lines {
		lines[i] = ""
		if i < len(panel) {
			lines[i] = words.Cut(panel[i].String(), d.f.Width)
		}
	}
	if n := len(lines); n > 1 {
		lines[n-1] = last.String()
	}
}

// headLine returns the first line of a dialog without a border: the title and the subject.
func (d *base) headLine(title, about string) *render.Line {
	return d.line(d.f.Width).To(min(menuKey, d.f.Width/8)).Put(render.Strong, title).Put(render.Muted, "  "+about)
}

// orMessage returns the last line of a dialog: the current message, or keys.
func (d *base) orMessage(keys *render.Line, width int) *render.Line {
	if d.f.Said == "" {
		return keys
	}
	l := d.line(width).To(min(menuKey, width/8))
	if d.f.Wrong {
		l.Put(render.BadBold, "✗ ")
	}
	return l.PutUntil(render.Text, d.f.Said, width-1)
}

// orLongMessage is like orMessage, but wraps a long message over the last lines of drawn. The end of a message says
// what to do.
func (d *base) orLongMessage(drawn []*render.Line, keys *render.Line, width int) ([]*render.Line, *render.Line) {
	indent := min(menuKey, width/8)
	room := width - indent - 1
	if d.f.Wrong {
		room -= 2 // for the glyph
	}
	text := render.Wrap(d.f.Said, max(room, 1))
	n := len(text) - 1
	if n < 1 || n > len(drawn) {
		return drawn, d.orMessage(keys, width)
	}
	drawn = slices.Clone(drawn)
	var last *render.Line
	for i, s := range text {
		last = d.line(width).To(indent)
		if i == 0 && d.f.Wrong {
			last.Put(render.BadBold, "✗ ")
		}
		if d.f.Wrong {
			last.To(indent + 2)
		}
		last.Put(render.Text, s)
		if i < n {
			drawn[len(drawn)-n+i] = last
		}
	}
	return drawn, last
}

// closingLine returns a line with the key that closes the dialog.
func (d *base) closingLine() *render.Line {
	return d.line(d.f.Width).Right(d.f.Width-1, closing()...)
}

func closing() []render.Span {
	return []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " close"}}
}

func rect(x, y, w, h int) screen.Rect { return screen.Rect{X: x, Y: y, W: w, H: h} }
