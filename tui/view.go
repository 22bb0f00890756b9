package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
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
	l := m.layout
	at := func(column int, text string, width int) int {
		return render.NewLine(m.styles, width-1).To(column).Put(render.Text, text).At()
	}
	switch m.place() {
	case whileFiltering:
		return at(4, m.list.pattern, l.context.w), l.context.y, l.context.h > 0
	case whileSearching:
		return at(2, m.reader.find.input, m.width), l.status.y, l.status.h > 0
	case inFolder:
		return m.folderCursor()
	case whileNarrowing:
		p, r := m.ledger, l.context
		x := 4
		if p.inside {
			r = l.preview
			r.h = m.ledgerHead()
		}
		return r.x + at(x, *p.pattern(), r.w), r.y, r.h > 0
	case inAbout:
		return m.recoverCursor()
	case inNote:
		return m.noteCursor()
	case inList, inReader, inHelp, inPalette, inMenu, inPlan, inPast, inPage, inLedger, inRecover, inGate, places:
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
	set(l.rule, m.drawRule())
	switch {
	case m.gate != nil:
		set(l.context, m.gateContext(m.width))
		pane(l.body, m.gateBody())
	case m.reader != nil:
		set(l.context, m.readerContext())
		pane(l.body, m.readerBody())
	case m.project != nil:
		set(l.context, m.pageContext(m.width))
		pane(l.body, m.pageBody())
	case m.onLedger():
		m.drawLedgerTab(set, pane, lines)
	case l.flipped:
		pane(l.preview, m.drawPreview())
	default:
		set(l.context, m.withHead(m.list.context(l.context.w, m.now, m.styles)))
		pane(l.body, m.listBody())
		m.besideList(lines)
	}
	set(l.keys, m.footer(m.width))
	if l.status != l.keys || m.hasSomethingToSay() {
		said := m.statusLines(m.width)
		for i, s := range said { // an error may need more than one row
			if y := l.status.y - len(said) + 1 + i; y >= 0 && l.status.h > 0 {
				lines[y] = s
			}
		}
	}
	m.drawPanel(lines)
	return lines
}

// drawPanel puts the panel over the screen.
func (m *model) drawPanel(lines []string) {
	switch m.panel.kind {
	case helpPanel:
		m.drawHelp(lines)
	case palettePanel:
		m.drawPalette(lines)
	case menuPanel:
		m.drawMenu(lines)
	case folderPanel:
		m.drawFolder(lines)
	case planPanel:
		m.drawPlan(lines)
	case pastPanel:
		m.drawPast(lines)
	case recoverPanel:
		m.drawRecover(lines)
	case notePanel:
		m.drawNote(lines)
	case noPanel:
	}
}

// title draws the first line: the tabs of the lists, or what is read.
func (m *model) title() string {
	if m.reader != nil && m.gate == nil {
		return m.reader.title(m.width, m.now, m.styles)
	}
	return m.drawTabs()
}

// besideList adds the hairline and the preview to the lines of the list.
func (m *model) besideList(lines []string) {
	p := m.layout.preview
	if p.h == 0 {
		return
	}
	m.besidePane(lines, m.drawPreview(), m.focus == onPreview)
}

// besidePane adds the hairline, heavy where the keys act beside it, and the lines of a pane.
func (m *model) besidePane(lines, text []string, focus bool) {
	p := m.layout.preview
	if p.h == 0 {
		return
	}
	hairline := m.styles.Paint(render.Rule, "│")
	if focus {
		hairline = m.styles.Paint(render.AccentBold, "┃")
	}
	for i := range p.h {
		line := render.Pad(lines[p.y+i], m.layout.divider) + hairline
		if i < len(text) {
			line += render.Cut(text[i], p.w)
		}
		lines[p.y+i] = line
	}
}

func (m *model) drawPreview() []string {
	row, f := m.list.selected(), previewFacts{zone: m.zone, now: m.now, styles: m.styles}
	if row != nil && m.scope.wide() {
		f.folder = render.CutMiddle(render.Folder(row.Project, m.opts.Home), 28)
	}
	if row != nil && row.Kind == sessions.KindBackup {
		f.does = m.backupDoes(row)
	}
	if row != nil && row.Kind == sessions.KindDocument {
		m.ofDocument(&f, row)
	}
	return m.preview.draw(row, f, m.layout.preview.w, m.layout.preview.h)
}

func (m *model) listBody() []string {
	r := m.layout.body
	if len(m.list.items) > 0 {
		return m.list.draw(r.w, r.h, m.focus == onList, m.now, m.styles)
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
		n.error("This " + m.reader.noun() + " could not be opened.")
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
		n.detail("esc goes back to the list.")
		return n.lines
	}
	return r.draw(m.width, m.layout.body.h, m.styles)
}
