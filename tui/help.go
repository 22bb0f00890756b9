package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/tui/render"
)

const (
	helpColumn = 38 // cells of one column of keys
	helpKey    = 15 // cells of the key in it
	panelFrom  = 70 // columns: under it a panel takes the whole screen and has no border
)

// helpLine is a heading, a key, or a blank line (neither).
type helpLine struct {
	heading string
	show    string
	words   string
	off     string
}

// helpLines lists the keys of the place behind the panel, by group.
func (m *model) helpLines() []helpLine {
	behind := inList
	if m.reader != nil {
		behind = inReader
	}
	var lines []helpLine
	for _, group := range []string{groupThis, groupFind, groupMove, groupEverywhere} {
		first := true
		for _, b := range m.keys[behind] {
			if b.group != group || b.help == "" || !b.exists(m) {
				continue
			}
			if first && len(lines) > 0 {
				lines = append(lines, helpLine{})
			}
			if first {
				lines = append(lines, helpLine{heading: group})
			}
			first = false
			l := helpLine{show: b.show, words: b.help}
			if b.off != nil {
				l.off = b.off(m)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// drawHelp puts the panel of keys over the screen.
func (m *model) drawHelp(screen []string) {
	lines := m.helpLines()
	if m.width < panelFrom || len(lines)/2+5 > m.height {
		m.helpFull(screen, lines)
		return
	}
	half := m.half(lines)
	left, right := lines[:half], lines[half:]
	if len(right) > 0 && right[0] == (helpLine{}) {
		right = right[1:]
	}
	width := min(2*helpColumn+4, m.width-2)
	inner := width - 2
	var panel []string
	name := "Sessions list"
	if m.reader != nil {
		name = "Reader"
	}
	fill := strings.Repeat("─", max(inner-len("- Keys ")-len(name)-3, 0))
	panel = append(panel, m.styles.Paint(render.Rule, "╭─ ")+m.styles.Paint(render.Strong, "Keys")+
		m.styles.Paint(render.Rule, " "+fill+" ")+m.styles.Paint(render.Muted, name)+m.styles.Paint(render.Rule, " ─╮"))
	edge := m.styles.Paint(render.Rule, "│")
	add := func(l *render.Line) {
		panel = append(panel, edge+l.To(inner).String()+edge)
	}
	add(render.NewLine(m.styles, inner))
	for i := range max(len(left), len(right)) {
		l := render.NewLine(m.styles, inner).To(2)
		if i < len(left) {
			m.helpKey(l, left[i], 2, 2+helpColumn-2)
		}
		if i < len(right) {
			m.helpKey(l, right[i], 2+helpColumn, inner)
		}
		add(l)
	}
	add(render.NewLine(m.styles, inner).Right(inner-1, render.Span{Ink: render.Strong, Text: "esc"}, render.Span{Ink: render.Muted, Text: " close"}))
	panel = append(panel, m.styles.Paint(render.Rule, "╰"+strings.Repeat("─", inner)+"╯"))
	m.float(screen, panel, width)
}

// half is where the second column begins: at the group that leaves the first one no shorter.
func (m *model) half(lines []helpLine) int {
	for i, l := range lines {
		if l == (helpLine{}) && i >= len(lines)/2-2 {
			return i
		}
	}
	return len(lines)
}

func (m *model) helpKey(l *render.Line, h helpLine, from, end int) {
	if h == (helpLine{}) {
		return
	}
	l.To(from)
	if h.heading != "" {
		l.PutUntil(render.Heading, h.heading, end)
		return
	}
	key, words := render.Strong, render.Muted
	if h.off != "" {
		key, words = render.Faint, render.Faint
		h.words += " (" + h.off + ")"
	}
	l.PutUntil(key, h.show, end).To(from + helpKey)
	if l.At() > from+helpKey-1 {
		l.Put(render.Text, "")
	}
	l.PutUntil(words, h.words, end)
}

// helpFull lists the keys on the whole screen, as many as there is room for.
func (m *model) helpFull(screen []string, lines []helpLine) {
	for i := range screen {
		screen[i] = ""
		if i < len(lines) {
			l := render.NewLine(m.styles, m.width)
			m.helpKey(l, lines[i], min(4, m.width/8), m.width)
			screen[i] = l.String()
		}
	}
	if n := len(screen); n > 1 {
		screen[n-1] = render.NewLine(m.styles, m.width).Right(m.width-1,
			render.Span{Ink: render.Strong, Text: "esc"}, render.Span{Ink: render.Muted, Text: " close"}).String()
	}
}

// float draws a panel in the middle; all behind it turns faint.
func (m *model) float(screen, panel []string, width int) {
	x, y := (m.width-width)/2, max((m.height-len(panel))/2, 0)
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
