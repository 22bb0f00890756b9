package list

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// noRows draws the text that replaces an empty list.
type noRows struct {
	*screen.Notice
	p *Page
}

// empty returns lines that explain why the list is empty.
func (p *Page) empty(width int) []string {
	n, t := noRows{screen.NewNotice(p.frame.Styles, width), p}, &p.pane.tally
	switch {
	case p.loading && !p.slow:
		return nil // show nothing until loading takes long
	case p.loading && t.Total == 0:
		n.Detail("Reading sessions…")
	case p.pane.isFiltered():
		n.noMatch()
	case t.Total == 0 && p.pane.kind != sessions.KindSession:
		n.allElsewhere()
	case t.Total == 0 && len(p.scope.missing) > 0:
		n.Error("The sessions could not be read.")
		for _, text := range p.scope.missing {
			n.Detail(text)
		}
		n.Detail("Press ctrl+r to try again. --claude-dir sets another directory.")
	case t.Total == 0:
		n.noSessions()
	default:
		n.allElsewhere()
	}
	return n.Lines
}

func (n noRows) noMatch() {
	if l := n.p.pane; l.answered != l.field.Text() {
		return // there is no answer yet
	}
	n.Heading("No match")
	one, _ := called(n.p.pane.kind)
	switch term := n.p.pane.noTerm(); {
	case n.p.pane.kind == sessions.KindDocument && term != "":
		n.Detail(term)
	default:
		n.Detail("No " + one + " matches “" + n.p.pane.field.Text() + "”.")
	}
	if n.p.pane.typing {
		n.Detail("Press tab to search everything that was said.")
	}
	if n.p.scope.wide() {
		n.Detail("Press esc to clear the filter.")
		return
	}
	n.Detail("Press ctrl+t to filter all projects, or esc to clear the filter.")
}

func (n noRows) noSessions() {
	n.Heading("No sessions yet")
	n.Detail("continuo lists every Claude Code session on this machine.")
	n.Detail("A session appears here as soon as Claude Code writes its first line.")
	n.Lines = append(n.Lines, "")
	n.Put(render.Heading, render.Span{}, "What to do next")
	if n.hasLedger() {
		n.Next(n.p.frame.KeyOf("previous-tab"), "go to the Ledger tab: notes of the project")
	}
	if n.p.offers() {
		n.p.choices.draw(n.Notice)
	}
	n.Lines = append(n.Lines, "")
	n.Put(render.Heading, render.Span{}, "Where continuo looked")
	for _, at := range n.p.opts.Looked {
		n.Place(render.Folder(at.Path, n.p.opts.Home), at.Note, at.Missing)
	}
}

// allElsewhere explains that no row of the scope is visible, and where other rows are.
func (n noRows) allElsewhere() {
	t := &n.p.pane.tally
	one, many := called(n.p.pane.kind)
	switch {
	case !n.p.scope.wide():
		n.Heading("No " + many + " in " + render.Folder(n.p.scope.project, n.p.opts.Home))
	case n.p.pane.kind == sessions.KindSession:
		n.Heading("Nothing to show")
	default:
		n.Heading("No " + many)
	}
	if hidden := n.p.pane.hidden(); hidden != "" {
		n.Detail("Hidden: " + hidden + ". Press . to show them.")
	}
	if n.p.frame.CanUndo && n.p.pane.kind == backups {
		n.Detail("Press " + n.p.frame.KeyOf("undo") + " to restore discarded backups.")
	}
	if n.hasLedger() {
		n.Detail("The notes of the project are on the Ledger tab.")
	}
	if !n.p.scope.all && n.p.scope.project != "" && t.Shown > 0 {
		n.Detail("Press a to show all projects: " + words.Counted(t.Shown-t.Gone, one, many) + ".")
	}
}

// hasLedger reports whether the project of the list has a ledger.
func (n noRows) hasLedger() bool {
	return !n.p.scope.wide() && n.p.opts.HasLedger(n.p.scope.project)
}

// Choice is an action that the empty list offers while there are no sessions.
type Choice struct {
	Name, Why string
	Run       screen.Takeover
	// Folder, if set, replaces Run. dir is the Claude config directory that the user has typed.
	Folder func(dir string) screen.Takeover
}

// offers reports whether there are no sessions, so that the choices are shown.
func (p *Page) offers() bool {
	l := p.pane
	return len(p.choices.list) > 0 && !p.loading && l.kind == sessions.KindSession && l.tally.Total == 0 && len(p.scope.missing) == 0
}

// choices are the actions that the empty list offers, and the bar on one of them.
type choices struct {
	list []Choice
	at   int
}

// move moves the bar.
func (c *choices) move(delta int) { c.at = min(max(c.at+delta, 0), len(c.list)-1) }

// take carries out the selected action.
func (c *choices) take() []screen.Effect {
	it := c.list[c.at]
	if it.Folder != nil {
		return []screen.Effect{screen.AskFolder{About: "with projects/ in it", Take: func(dir string) screen.Effect { return screen.Run{Program: it.Folder(dir)} }}}
	}
	return []screen.Effect{screen.Run{Program: it.Run}}
}

// draw draws the actions and the bar.
func (c *choices) draw(n *screen.Notice) {
	for i, it := range c.list {
		glyph, ink := render.Span{}, render.Text
		if i == c.at {
			glyph, ink = render.Span{Ink: render.AccentBold, Text: "▌"}, render.Strong
		}
		n.Pair(glyph, ink, it.Name, it.Why)
	}
}
