package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
)

// View puts the lines of the panes together. It is the only place that decides about the terminal's modes.
func (m *model) View() tea.View {
	v := tea.NewView(strings.Join(m.screen(), "\n"))
	v.AltScreen = true
	v.WindowTitle = "continuo"
	if y := m.layout.context.y; m.place() == whileTyping && m.layout.context.h > 0 {
		v.Cursor = tea.NewCursor(m.list.cursor(m.styles, m.layout.context.w), y)
		v.Cursor.Shape, v.Cursor.Blink = tea.CursorBar, false
	}
	return v
}

// screen has exactly as many lines as the terminal has rows, none wider than it.
func (m *model) screen() []string {
	lines := make([]string, m.height)
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	l := m.layout
	set := func(r rect, line string) {
		if r.h > 0 {
			lines[r.y] = line
		}
	}
	pane := func(r rect, text []string) {
		for i := 0; i < r.h && i < len(text); i++ {
			lines[r.y+i] = render.Cut(text[i], r.w)
		}
	}
	set(l.title, m.title())
	set(l.rule, m.rule())
	if m.reader != nil {
		set(l.context, m.readerContext())
		pane(l.body, m.readerBody())
	} else {
		set(l.context, m.list.context(l.context.w, m.now, m.styles))
		pane(l.body, m.listBody())
		m.besideList(lines)
	}
	set(l.keys, m.footer(m.width))
	if s := m.statusLine(m.width); l.status != l.keys || m.status.text != "" {
		set(l.status, s)
	}
	if m.helpOpen {
		m.drawHelp(lines)
	}
	return lines
}

// title draws the first line: the tabs of the list, or what is read.
func (m *model) title() string {
	if m.reader != nil {
		return m.reader.title(m.width, m.styles)
	}
	l := render.NewLine(m.styles, m.width).To(1).Put(render.AccentBold, "continuo").To(m.tab())
	l.Put(render.Strong, "Sessions").Put(render.Faint, " "+m.tabCount())
	if m.opts.Project != "" {
		folder := render.Folder(m.opts.Project, m.opts.Home)
		l.Right(m.width-1, render.Span{Ink: render.Muted, Text: "   " + render.CutMiddle(folder, 48)})
	}
	return l.String()
}

// tab is the column of the tab; it moves closer where there is little room.
func (m *model) tab() int {
	if m.width < previewFrom {
		return 11
	}
	return 13
}

func (m *model) tabCount() string {
	if m.loading && m.list.tally.total == 0 {
		return "…"
	}
	return render.Count(m.list.tally.sessions)
}

// rule draws the hairline, heavy under the tab.
func (m *model) rule() string {
	l := render.NewLine(m.styles, m.width)
	if m.reader == nil {
		l.Put(render.Rule, strings.Repeat("─", m.tab()))
		l.Put(render.AccentBold, strings.Repeat("━", len("Sessions ")+len([]rune(m.tabCount()))))
	}
	if d := m.layout.divider; d > l.At() {
		l.Put(render.Rule, strings.Repeat("─", d-l.At())+"┬")
	}
	if n := m.width - l.At(); n > 0 {
		l.Put(render.Rule, strings.Repeat("─", n))
	}
	return l.String()
}

// besideList adds the hairline and the preview to the lines of the list.
func (m *model) besideList(lines []string) {
	p := m.layout.preview
	if p.h == 0 {
		return
	}
	row, folder := m.list.selected(), ""
	if row != nil && (m.list.all || m.list.project == "") {
		folder = render.CutMiddle(render.Folder(row.Project, m.opts.Home), 28)
	}
	text := m.preview.draw(row, folder, p.w, p.h, m.zone, m.styles)
	hairline := m.styles.Paint(render.Rule, "│")
	for i := range p.h {
		line := render.Pad(lines[p.y+i], m.layout.divider) + hairline
		if i < len(text) {
			line += render.Cut(text[i], p.w)
		}
		lines[p.y+i] = line
	}
}

func (m *model) listBody() []string {
	r := m.layout.body
	if len(m.list.items) > 0 {
		return m.list.draw(r.w, r.h, m.now, m.styles)
	}
	return m.emptyList(r.w)
}

func (m *model) readerContext() string {
	if m.reader.doc == nil {
		return ""
	}
	return m.reader.context(m.width, m.styles)
}

func (m *model) readerBody() []string {
	r := m.reader
	switch {
	case r.err != nil:
		n := m.notice(m.width)
		n.error("This transcript could not be opened.")
		n.detail(m.sentence(r.err))
		n.detail("esc goes back to the list.")
		return n.lines
	case r.doc == nil && r.slow:
		n := m.notice(m.width)
		n.detail("Reading…")
		return n.lines
	case r.doc == nil:
		return nil
	case len(r.refs) == 0:
		n := m.notice(m.width)
		n.heading("No messages")
		n.detail("Nothing in this file belongs to a conversation.")
		return n.lines
	}
	return r.draw(m.width, m.layout.body.h, m.styles)
}
