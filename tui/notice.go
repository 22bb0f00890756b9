package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func (m *model) notice(width int) *screen.Notice { return screen.NewNotice(m.styles, width) }

// emptyList says why there is no row.
func (m *model) emptyList(width int) []string {
	n := m.notice(width)
	t := m.list.tally
	switch {
	case m.loading && !m.slow:
		return nil // a wait says nothing at first
	case m.loading && t.total == 0:
		n.Detail("Reading sessions…")
	case m.list.isFiltered():
		m.noMatch(n)
	case t.total == 0 && m.list.kind != sessions.KindSession:
		m.allElsewhere(n)
	case t.total == 0 && len(m.scope.missing) > 0:
		n.Error("The sessions could not be read.")
		for _, text := range m.scope.missing {
			n.Detail(text)
		}
		n.Detail("ctrl+r tries again; --claude-dir looks in another place.")
	case t.total == 0:
		m.noSessions(n)
	default:
		m.allElsewhere(n)
	}
	return n.Lines
}

func (m *model) noMatch(n *screen.Notice) {
	if m.list.answered != m.list.field.Text() {
		return // the answer is on its way
	}
	n.Heading("No match")
	if term := m.list.noTerm(); m.list.kind == sessions.KindDocument && term != "" {
		n.Detail(term)
	} else if m.list.kind == sessions.KindSession {
		n.Detail("No title, badge, project, branch or first prompt has “" + m.list.field.Text() + "”.")
	} else {
		one, _ := called(m.list.kind)
		n.Detail("No " + one + " matches “" + m.list.field.Text() + "”.")
	}
	if m.scope.wide() {
		n.Detail("esc clears the filter.")
		return
	}
	n.Detail("ctrl+t looks in all projects, esc clears the filter.")
}

func (m *model) noSessions(n *screen.Notice) {
	n.Heading("No sessions yet")
	n.Detail("continuo lists every Claude Code session on this machine. It looked here:")
	n.Lines = append(n.Lines, "")
	for _, p := range m.opts.Looked {
		n.Place(render.Folder(p.Path, m.opts.Home), p.Note, p.Missing)
	}
	n.Lines = append(n.Lines, "")
	n.Put(render.Heading, render.Span{}, "What to do next")
	if m.hasLedgerHere() {
		n.Next(m.keyOf("previous-tab"), "go to the tab Ledger: what the project has noted")
	}
	n.Next("claude", "start a session; it appears here")
	if m.offersDemo() {
		n.Next("enter", "look around in made-up sessions")
	}
	n.Next("--claude-dir PATH", "look in another place")
}

// offersDemo reports whether enter opens the demo: there is no session to read.
func (m *model) offersDemo() bool {
	l := m.list
	return m.opts.Demo != nil && !m.loading && l.kind == sessions.KindSession && l.tally.total == 0 && !l.isFiltered() && len(m.scope.missing) == 0
}

// openDemo hands the terminal over to the demo.
func (m *model) openDemo() tea.Cmd {
	return m.request(screen.Run{Program: m.opts.Demo})
}

// allElsewhere is for a scope without a visible row while there are rows.
func (m *model) allElsewhere(n *screen.Notice) {
	t := m.list.tally
	one, many := called(m.list.kind)
	if m.scope.wide() {
		n.Heading(m.nothing(many))
	} else {
		n.Heading("No " + many + " in " + render.Folder(m.scope.project, m.opts.Home))
	}
	if hidden := m.list.hidden(); hidden != "" {
		n.Detail(hidden + ": . shows them.")
	}
	if m.atDesk().change.CanUndo() && m.list.kind == sessions.KindBackup {
		n.Detail(m.keyOf("undo") + " takes back what was discarded.")
	}
	if m.hasLedgerHere() {
		n.Detail("What the project has noted is in the tab Ledger.")
	}
	if !m.scope.all && m.scope.project != "" && t.shown > 0 {
		n.Detail("a shows all projects: " + words.Counted(t.shown-t.gone, one, many) + ".")
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
