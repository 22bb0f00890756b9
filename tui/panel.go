package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
)

// panel is what floats over the screen: the one thing with a border.
type panel struct {
	kind  panelKind
	input string    // narrows what is listed
	all   []command // what a palette can run
	shown []command
	at    int
	win   blocks.Window
	top   int        // first line that is seen of a menu or of the folders
	menu  *menu      // of a menuPanel
	field *pathField // of a folderPanel
	plan  *Plan      // of a planPanel

	recover *recovering // of a recoverPanel
	note    *noteForm   // of a notePanel
	under   *panel      // the dialog that a plan was asked in, and that comes back; nil none

	seen   []bool // lines of the menu or the plan that have been on the screen, seenIn cells wide
	seenIn int

	drawn     []*render.Line // of the plan, drawnIn cells wide
	drawnIn   int
	drawnWith *render.Styles

	clicked int // the item of the menu that was clicked last, from 1
}

type panelKind uint8

const (
	noPanel panelKind = iota
	helpPanel
	palettePanel
	menuPanel
	folderPanel
	planPanel
	pastPanel
	recoverPanel
	notePanel
)

// panelFrom is how many columns a panel needs: under it, it takes the whole screen and has no border.
const panelFrom = 72

// What is in the upper edge of a panel, in cells.
const (
	boxTitle   = 9 // of a name and what it is about: the spaces around them, and what there is of the edge at least
	leastAbout = 4 // less of what it is about says nothing
)

// closePanel closes it. The dialog that a plan was asked in comes back.
func (m *model) closePanel() tea.Cmd {
	if under := m.panel.under; under != nil {
		m.panel = *under
		return nil
	}
	m.dropPanel()
	return nil
}

// dropPanel closes it, with what is under it.
func (m *model) dropPanel() {
	p := m.panel.base()
	if p.recover != nil {
		p.recover.cancel()
	}
	if p.note != nil {
		p.note.cancel()
	}
	if p.menu != nil && p.menu.cancel != nil {
		p.menu.cancel()
	}
	m.panel = panel{}
}

// base is the dialog that a plan was asked in, else the panel itself.
func (p *panel) base() *panel {
	if p.under != nil {
		return p.under
	}
	return p
}

// narrow lists only what has the words that are typed.
func (p *panel) narrow(input string) {
	p.input, p.at, p.win = input, 0, blocks.Window{}
	p.shown = matching(p.all, input)
}

// box draws a border around lines of an inner width, with a name at the left of its upper edge and one at the right.
func (m *model) box(lines []*render.Line, inner int, name, right string) []string {
	st := m.styles
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
		drawn = append(drawn, edge+render.Pad(l.String(), inner)+edge)
	}
	return append(drawn, st.Paint(render.Rule, "╰"+strings.Repeat("─", inner)+"╯"))
}

// float draws a panel in the middle; all behind it turns faint.
func (m *model) float(screen, panel []string, width int) {
	m.floatAt(screen, panel, width, max((m.height-len(panel))/2, 0))
}

// floatAt does so below row y.
func (m *model) floatAt(screen, panel []string, width, y int) {
	x := (m.width - width) / 2
	for i := range screen {
		plain := render.Pad(ansi.Strip(screen[i]), m.width)
		if i < y || i >= y+len(panel) {
			screen[i] = m.styles.Paint(render.Behind, strings.TrimRight(plain, " "))
			continue
		}
		left := ansi.Cut(plain, 0, x)
		right := ansi.Cut(plain, x+width, m.width)
		screen[i] = m.styles.Paint(render.Behind, render.Pad(left, x)) + panel[i-y] + m.styles.Paint(render.Behind, strings.TrimRight(right, " "))
	}
}

// cover puts a panel without a border in the place of the screen; last is its last line, where there are two.
func (m *model) cover(screen []string, lines []*render.Line, last *render.Line) {
	for i := range screen {
		screen[i] = ""
		if i < len(lines) {
			screen[i] = words.Cut(lines[i].String(), m.width)
		}
	}
	if n := len(screen); n > 1 {
		screen[n-1] = last.String()
	}
}

// headLine is the first of a dialog without a border: what is in the upper edge of the others.
func (m *model) headLine(title, about string) *render.Line {
	return render.NewLine(m.styles, m.width).To(min(menuKey, m.width/8)).Put(render.Strong, title).Put(render.Muted, "  "+about)
}

// isDialog reports whether the panel asks for something.
func (m *model) isDialog() bool {
	switch m.panel.kind {
	case menuPanel, folderPanel, planPanel, pastPanel, recoverPanel, notePanel:
		return true
	case noPanel, helpPanel, palettePanel:
	}
	return false
}

// orSaid is the last line of a dialog: its keys, or what there is to say instead of them.
func (m *model) orSaid(keys *render.Line, width int) *render.Line {
	if m.status.text == "" {
		return keys
	}
	l := render.NewLine(m.styles, width).To(min(menuKey, width/8))
	if m.status.bad {
		l.Put(render.BadBold, "✗ ")
	}
	return l.PutUntil(render.Text, m.status.text, width-1)
}

// orSaidOver is the same for a dialog that has lines above it to spare: what there is to say is shown whole, because its
// end says what to do, over the last of them.
func (m *model) orSaidOver(drawn []*render.Line, keys *render.Line, width int) ([]*render.Line, *render.Line) {
	indent := min(menuKey, width/8)
	room := width - indent - 1
	if m.status.bad {
		room -= 2 // its glyph
	}
	text := render.Wrap(m.status.text, max(room, 1))
	n := len(text) - 1
	if n < 1 || n > len(drawn) {
		return drawn, m.orSaid(keys, width)
	}
	drawn = slices.Clone(drawn)
	var last *render.Line
	for i, s := range text {
		last = render.NewLine(m.styles, width).To(indent)
		if i == 0 && m.status.bad {
			last.Put(render.BadBold, "✗ ")
		}
		if m.status.bad {
			last.To(indent + 2)
		}
		last.Put(render.Text, s)
		if i < n {
			drawn[len(drawn)-n+i] = last
		}
	}
	return drawn, last
}

// dropError takes the error back that a dialog shows; it reports whether there was one.
func (m *model) dropError() bool {
	bad := m.status.bad
	m.status = status{}
	return bad
}

// closingLine says how to leave.
func (m *model) closingLine() *render.Line {
	return render.NewLine(m.styles, m.width).Right(m.width-1, closing()...)
}

func closing() []render.Span {
	return []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " close"}}
}
