package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
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
	for i, line := range render.Wrap(transcript.CleanLine(text), max(min(n.width-n.left-1, 80), 1)) {
		l := render.NewLine(n.styles, n.width)
		left := n.left
		if glyph.Text != "" {
			if i == 0 {
				l.To(left).Spans(glyph)
			}
			left += 2
		}
		n.lines = append(n.lines, l.To(left).Put(ink, line).String())
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

// place names where something was looked for, and what is there.
func (n *notice) place(p Place, home string) {
	glyph := render.Span{Ink: render.Faint, Text: "·"}
	if p.Missing {
		glyph = render.Span{Ink: render.Bad, Text: "✗"}
	}
	n.pair(glyph, render.Text, render.Folder(p.Path, home), p.Note)
}

// next is something to do and what it is good for.
func (n *notice) next(what, why string) {
	n.pair(render.Span{}, render.Strong, what, why)
}

// pair puts a word and what is said of it beside each other, or below where there is no room.
func (n *notice) pair(glyph render.Span, ink render.Ink, left, right string) {
	const column = 32
	if n.width-n.left < column+24 {
		n.put(ink, glyph, left)
		n.put(render.Muted, render.Span{}, right)
		return
	}
	l := render.NewLine(n.styles, n.width).To(n.left).Spans(glyph).To(n.left + 2)
	l.PutUntil(ink, render.CutMiddle(transcript.CleanLine(left), column-2), n.left+column+1)
	n.lines = append(n.lines, l.To(n.left+2+column).Put(render.Muted, transcript.CleanLine(right)).String())
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
	case m.list.isFiltered():
		m.noMatch(n)
	case t.total == 0 && m.list.kind != sessions.KindSession:
		m.allElsewhere(n)
	case t.total == 0 && len(m.scope.missing) > 0:
		n.error("The sessions could not be read.")
		for _, text := range m.scope.missing {
			n.detail(text)
		}
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
	if term := m.list.noTerm(); m.list.kind == sessions.KindDocument && term != "" {
		n.detail(term)
	} else if m.list.kind == sessions.KindSession {
		n.detail("No title, badge, project, branch or first prompt has “" + m.list.pattern + "”.")
	} else {
		one, _ := words(m.list.kind)
		n.detail("No " + one + " matches “" + m.list.pattern + "”.")
	}
	if m.scope.wide() {
		n.detail("esc clears the filter.")
		return
	}
	n.detail("ctrl+t looks in all projects, esc clears the filter.")
}

func (m *model) noSessions(n *notice) {
	n.heading("No sessions yet")
	n.detail("continuo lists every Claude Code session on this machine. It looked here:")
	n.lines = append(n.lines, "")
	for _, p := range m.opts.Looked {
		n.place(p, m.opts.Home)
	}
	n.lines = append(n.lines, "")
	n.put(render.Heading, render.Span{}, "What to do next")
	if m.hasLedgerHere() {
		n.next(m.keyOf("previous-tab"), "go to the tab Ledger: what the project has noted")
	}
	n.next("claude", "start a session; it appears here")
	if m.offersDemo() {
		n.next("enter", "look around in made-up sessions")
	}
	n.next("--claude-dir PATH", "look in another place")
}

// offersDemo reports whether enter opens the demo: there is no session to read.
func (m *model) offersDemo() bool {
	l := m.list
	return m.opts.Demo != nil && !m.loading && l.kind == sessions.KindSession && l.tally.total == 0 && !l.isFiltered() && len(m.scope.missing) == 0
}

// openDemo hands the terminal over to the demo.
func (m *model) openDemo() tea.Cmd {
	m.away, m.dragging = true, false
	return takeOver(m.opts.Demo, "")
}

// allElsewhere is for a scope without a visible row while there are rows.
func (m *model) allElsewhere(n *notice) {
	t := m.list.tally
	one, many := words(m.list.kind)
	if m.scope.wide() {
		n.heading(m.nothing(many))
	} else {
		n.heading("No " + many + " in " + render.Folder(m.scope.project, m.opts.Home))
	}
	if hidden := m.list.hidden(); hidden != "" {
		n.detail(hidden + ": . shows them.")
	}
	if can, _, _ := m.canUndo(); can && m.list.kind == sessions.KindBackup {
		n.detail(m.keyOf("undo") + " takes back what was discarded.")
	}
	if m.hasLedgerHere() {
		n.detail("What the project has noted is in the tab Ledger.")
	}
	if !m.scope.all && m.scope.project != "" && t.shown > 0 {
		n.detail("a shows all projects: " + render.Counted(t.shown-t.gone, one, many) + ".")
	}
}

// hasLedgerHere reports whether the project of the list is known to have a ledger.
func (m *model) hasLedgerHere() bool { return !m.scope.wide() && m.hasLedgers[m.scope.project] }

// nothing says that no project has rows to show.
func (m *model) nothing(many string) string {
	if m.list.kind == sessions.KindSession {
		return "Nothing to show"
	}
	return "No " + many
}
