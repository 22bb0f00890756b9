package tui

import (
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// notice is a pane that has nothing to list: it says what was looked for, where, and what to do.
type notice struct {
	styles *render.Styles
	width  int
	left   int
	lines  []string
}

func (m *model) notice(width int) *notice {
	left := max((width-60)/2, 4)
	if width < 24 {
		left = 0
	}
	return &notice{styles: m.styles, width: width, left: left, lines: []string{""}}
}

func (n *notice) put(ink render.Ink, glyph render.Span, text string) {
	for i, line := range render.Wrap(transcript.CleanLine(text), max(min(n.width-n.left-1, 72), 1)) {
		l := render.NewLine(n.styles, n.width)
		if i == 0 && glyph.Text != "" {
			l.To(n.left - 2).Spans(glyph)
		}
		n.lines = append(n.lines, l.To(n.left).Put(ink, line).String())
	}
}

func (n *notice) heading(text string) {
	n.put(render.Bold, render.Span{}, text)
	n.lines = append(n.lines, "")
}

func (n *notice) error(text string) {
	n.put(render.Bold, render.Span{Ink: render.BadBold, Text: "✗"}, text)
}

func (n *notice) detail(text string) { n.put(render.Muted, render.Span{}, text) }

func (n *notice) place(text string) {
	n.put(render.Muted, render.Span{Ink: render.Faint, Text: "·"}, text)
}

// emptyList says why there is no row.
func (m *model) emptyList(width int) []string {
	n := m.notice(width)
	t := m.list.tally
	switch {
	case m.loading && !m.slow:
		return nil // a wait says nothing at first
	case m.loading && t.total == 0:
		n.detail("Reading sessions…")
	case m.list.pattern != "":
		m.noMatch(n)
	case t.total == 0 && m.trouble != nil:
		n.error("The sessions could not be read.")
		n.detail(m.sentence(m.trouble))
		n.detail("ctrl+r tries again; --claude-dir looks in another place.")
	case t.total == 0:
		m.noSessions(n)
	default:
		m.allElsewhere(n)
	}
	return n.lines
}

func (m *model) noMatch(n *notice) {
	if m.list.answered != m.list.pattern {
		return // the answer is on its way
	}
	n.heading("No match")
	n.detail("No title, project, branch or first prompt has “" + m.list.pattern + "”.")
	if m.list.all || m.list.project == "" {
		n.detail("esc clears the filter.")
		return
	}
	n.detail("ctrl+t looks in all projects, esc clears the filter.")
}

func (m *model) noSessions(n *notice) {
	n.heading("No sessions yet")
	n.detail("continuo lists every Claude Code session on this machine. It looked here:")
	n.lines = append(n.lines, "")
	for _, dir := range m.opts.Dirs {
		n.place(render.Folder(dir, m.opts.Home) + "/projects")
	}
	n.lines = append(n.lines, "")
	n.detail("Start claude in a project, then press ctrl+r. --claude-dir looks in another place.")
}

// allElsewhere is for a scope without a visible row while there are rows.
func (m *model) allElsewhere(n *notice) {
	t := m.list.tally
	if m.list.all || m.list.project == "" {
		n.heading("Nothing to show")
	} else {
		n.heading("No sessions in " + render.Folder(m.list.project, m.opts.Home))
	}
	if hidden := m.list.hidden(); hidden != "" {
		n.detail(hidden + ": . shows them.")
	}
	if !m.list.all && m.list.project != "" && t.sessions > 0 {
		n.detail("a shows all projects: " + render.Counted(t.sessions, "session", "sessions") + ".")
	}
}
