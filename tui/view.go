package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// View puts the lines of the panes together. It is the only place that decides about the terminal's modes.
func (m *model) View() tea.View {
	screen := m.screen()
	if m.opts.ASCII {
		for i := range screen {
			screen[i] = render.ASCII(screen[i])
		}
	}
	v := tea.NewView(strings.Join(screen, "\n"))
	v.AltScreen, v.ReportFocus = true, true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "continuo"
	if x, y, ok := m.cursor(); ok {
		v.Cursor = tea.NewCursor(x, y)
		v.Cursor.Shape, v.Cursor.Blink = tea.CursorBar, false
	}
	return v
}

// cursor is where something is typed.
func (m *model) cursor() (x, y int, ok bool) {
	if d, ok := m.front().screen.(screen.Cursored); ok {
		return d.Cursor()
	}
	return 0, 0, false
}

// screen has exactly as many lines as the terminal has rows, none wider than it.
func (m *model) screen() []string {
	lines := make([]string, m.height)
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	l := m.layout
	set := func(r screen.Rect, line string) {
		if r.H > 0 {
			lines[r.Y] = line
		}
	}
	pane := func(r screen.Rect, text []string) {
		for i := 0; i < r.H && i < len(text); i++ {
			lines[r.Y+i] = words.Cut(text[i], r.W)
		}
	}
	v := m.top().screen.View()
	m.drawPanes(&v, set, pane, lines)
	set(l.Title, cmp.Or(v.Title, m.drawTabs()))
	set(l.Rule, m.drawRule(v.Title == ""))
	set(l.Keys, footer(m.keysBehind(), m.styles, m.width))
	if bar := m.statusBar(); l.Status != l.Keys || bar.says(&v) {
		said := bar.lines(&v)
		for i, s := range said { // an error may need more than one row
			if y := l.Status.Y - len(said) + 1 + i; y >= 0 && l.Status.H > 0 {
				lines[y] = s
			}
		}
	}
	if d, ok := m.dialog(); ok {
		d.Over(lines)
	}
	return lines
}

// drawPanes puts a screen on the terminal: its body, and what stands beside it or in its place.
func (m *model) drawPanes(v *screen.View, set func(r screen.Rect, line string), pane func(r screen.Rect, text []string), lines []string) {
	l := m.layout
	if l.Flipped && v.Beside != nil {
		pane(l.Preview, v.Beside)
		return
	}
	set(l.Context, v.Context)
	if v.Beside == nil {
		l.Body.W = m.width
	}
	pane(l.Body, v.Body)
	if v.Beside != nil {
		m.besidePane(lines, v.Beside, v.Inside)
	}
}

// besidePane adds the hairline, heavy where the keys act beside it, and the lines of a pane.
func (m *model) besidePane(lines, text []string, focus bool) {
	p := m.layout.Preview
	if p.H == 0 {
		return
	}
	hairline := m.styles.Paint(render.Rule, "│")
	if focus {
		hairline = m.styles.Paint(render.AccentBold, "┃")
	}
	for i := range p.H {
		line := render.Pad(lines[p.Y+i], m.layout.Divider) + hairline
		if i < len(text) {
			line += words.Cut(text[i], p.W)
		}
		lines[p.Y+i] = line
	}
}
