package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// View draws the screen and sets the modes of the terminal, such as mouse reports.
func (m *model) View() tea.View {
	lines := m.screen()
	if m.opts.ASCII {
		for i := range lines {
			lines[i] = render.ASCII(lines[i])
		}
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen, v.ReportFocus = true, true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "continuo"
	if c, ok := m.front().screen.(screen.Cursored); ok {
		if x, y, ok := c.Cursor(); ok {
			v.Cursor = tea.NewCursor(x, y)
			v.Cursor.Shape, v.Cursor.Blink = tea.CursorBar, false
		}
	}
	return v
}

// screen returns the text of the terminal, one line per row. No line is too wide.
func (m *model) screen() []string {
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	c, l, v, tabs := canvas{make([]string, m.height), m.layout, m.styles}, m.layout, m.top().screen.View(), m.tabBar()
	c.panes(&v, m.width)
	c.set(l.Title, cmp.Or(v.Title, tabs.draw()))
	c.set(l.Rule, cmp.Or(v.Rule, tabs.rule(l.Divider, v.Title == "")))
	c.set(l.Keys, footer(m.keysBehind(), m.styles, m.width))
	overRow := l.Body.Has(l.Status.X, l.Status.Y) // the status covers a row of the body
	if bar := m.statusBar(); l.Status != l.Keys && !overRow || bar.says(&v) || overRow && v.Reading && bar.progress.Total > 0 {
		text := bar.lines(&v)
		for i, s := range text { // an error may need several rows
			if y := l.Status.Y - len(text) + 1 + i; y >= 0 && l.Status.H > 0 {
				c.lines[y] = s
			}
		}
	}
	if d, ok := m.dialog(); ok {
		d.Over(c.lines)
	}
	return c.lines
}

// canvas has the lines of the terminal while they are drawn.
type canvas struct {
	lines  []string
	layout screen.Layout
	styles *render.Styles
}

func (c *canvas) set(r screen.Rect, line string) {
	if r.H > 0 {
		c.lines[r.Y] = line
	}
}

func (c *canvas) pane(r screen.Rect, text []string) {
	for i := 0; i < r.H && i < len(text); i++ {
		c.lines[r.Y+i] = words.Cut(text[i], r.W)
	}
}

// panes draws the body of a screen, and a second pane beside it or in its place.
func (c *canvas) panes(v *screen.View, width int) {
	l := c.layout
	if l.Flipped && v.Beside != nil {
		c.pane(l.Preview, v.Beside)
		return
	}
	c.set(l.Context, v.Context)
	if v.Beside == nil {
		l.Body.W = width
	}
	c.pane(l.Body, v.Body)
	if v.Beside != nil {
		c.beside(v.Beside, v.Inside)
	}
}

// beside draws the right pane and the line to its left. inside means that the right pane has the focus, so the line is
// heavy.
func (c *canvas) beside(text []string, inside bool) {
	p := c.layout.Preview
	if p.H == 0 {
		return
	}
	hairline := c.styles.Paint(render.Rule, "│")
	if inside {
		hairline = c.styles.Paint(render.AccentBold, "┃")
	}
	for i := range max(p.H, c.layout.Status.Y-p.Y) {
		line := render.Pad(c.lines[p.Y+i], c.layout.Divider) + hairline
		if i < min(len(text), p.H) {
			line += words.Cut(text[i], p.W)
		}
		c.lines[p.Y+i] = line
	}
}
