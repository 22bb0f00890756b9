package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// intent is what the user can ask for, whatever key or click it comes from.
type intent func(*model) tea.Cmd

// by moves by so many rows or lines.
func by(delta int) intent {
	return func(m *model) tea.Cmd { return m.move(delta) }
}

func (m *model) move(delta int) tea.Cmd {
	if rows := m.layout.body.h; m.reader != nil {
		m.reader.win.scroll(delta, len(m.reader.refs), rows, m.reader.height)
	} else {
		m.list.move(delta, rows)
	}
	return nil
}

func (m *model) pageUp() tea.Cmd       { return m.move(-max(m.layout.body.h-1, 1)) }
func (m *model) pageDown() tea.Cmd     { return m.move(max(m.layout.body.h-1, 1)) }
func (m *model) halfPageUp() tea.Cmd   { return m.move(-max(m.layout.body.h/2, 1)) }
func (m *model) halfPageDown() tea.Cmd { return m.move(max(m.layout.body.h/2, 1)) }

func (m *model) toFirst() tea.Cmd {
	if r := m.reader; r != nil {
		r.win.show(0, 0, len(r.refs), m.layout.body.h, r.height)
		return nil
	}
	return m.move(-len(m.list.items))
}

func (m *model) toLast() tea.Cmd {
	if r := m.reader; r != nil {
		r.win.endAt(len(r.refs)-1, len(r.refs), m.layout.body.h, r.height)
		return nil
	}
	return m.move(len(m.list.items))
}

func (m *model) previousPrompt() tea.Cmd { return m.jump(-1) }
func (m *model) nextPrompt() tea.Cmd     { return m.jump(1) }

func (m *model) jump(step int) tea.Cmd {
	m.reader.jump(step, m.layout.body.h)
	return nil
}

// readSelected opens the selected row in the reader.
func (m *model) readSelected() tea.Cmd {
	row := m.list.selected()
	if row == nil {
		return nil
	}
	if row.State == sessions.StateUnreadable {
		m.status.say(row.Reason)
		return nil
	}
	m.preview.stop()
	return m.openReader(*row)
}

// subject is the row that an action is about: the one being read, else the selected one.
func (m *model) subject() *sessions.Row {
	if m.reader != nil {
		return &m.reader.row
	}
	return m.list.selected()
}

func (m *model) hasSubject() bool { return m.subject() != nil }
func (m *model) hasRows() bool    { return m.list.tally.total > 0 }
func (m *model) hasProject() bool { return m.list.project != "" && m.list.tally.total > 0 }

// resume asks for the program that goes on with the session.
func (m *model) resume() tea.Cmd {
	row := m.subject()
	if row == nil || m.resuming {
		return nil
	}
	m.resuming = true
	return prepareResume(m.ctx, m.actions, *row)
}

// whyNotResume is the reason, in a few words, why the client could not resume the row.
func (m *model) whyNotResume() string {
	row := m.subject()
	switch {
	case row == nil:
		return ""
	case row.Has(sessions.FlagBackupOnly):
		return "only a copy is left"
	case row.Has(sessions.FlagNotResumable):
		return "its file name is no session id"
	}
	switch row.State {
	case sessions.StateUnreadable:
		return "unreadable"
	case sessions.StateEmpty, sessions.StateStub:
		return "nothing in it"
	case sessions.StateOK, sessions.StateDamaged:
	}
	return ""
}

func (m *model) toggleAll() tea.Cmd {
	m.list.all = !m.list.all
	m.rebuild()
	return m.filter()
}

func (m *model) toggleHidden() tea.Cmd {
	m.list.showHidden = !m.list.showHidden
	m.rebuild()
	return m.filter()
}

func (m *model) togglePreview() tea.Cmd {
	m.previewOff = !m.previewOff
	m.arrange()
	return nil
}

func (m *model) refresh() tea.Cmd { return m.load() }

func (m *model) startFilter() tea.Cmd {
	m.list.typing = true
	m.arrange()
	return nil
}

func (m *model) keepFilter() tea.Cmd {
	m.list.typing = false
	m.arrange()
	return nil
}

// clear takes back one thing: the error that is shown, else the filter.
func (m *model) clear() tea.Cmd {
	if m.status.bad {
		m.status = status{}
		return nil
	}
	m.list.typing = false
	m.setPattern("")
	m.arrange()
	return nil
}

func (m *model) eraseRune() tea.Cmd {
	p := m.list.pattern
	_, n := utf8.DecodeLastRuneInString(p)
	return m.setPattern(p[:len(p)-n])
}

func (m *model) eraseWord() tea.Cmd {
	p := strings.TrimRight(m.list.pattern, " ")
	return m.setPattern(p[:strings.LastIndex(p, " ")+1])
}

func (m *model) eraseAll() tea.Cmd { return m.setPattern("") }

func (m *model) openHelp() tea.Cmd {
	m.helpOpen = true
	return nil
}

func (m *model) closeHelp() tea.Cmd {
	m.helpOpen = false
	return nil
}

// back goes up one level and quits at the top.
func (m *model) back() tea.Cmd {
	m.status = status{}
	switch {
	case m.reader != nil:
		return m.leaveReader()
	case m.list.pattern != "":
		return m.clear()
	}
	return tea.Quit
}

func (m *model) quit() tea.Cmd { return tea.Quit }

// setPattern changes what the list is filtered by.
func (m *model) setPattern(pattern string) tea.Cmd {
	if pattern == m.list.pattern {
		return nil
	}
	m.list.pattern, m.list.touched = pattern, true
	if strings.TrimSpace(pattern) == "" {
		m.filterGen++ // an answer on its way is not wanted any more
		m.list.hits, m.list.answered = nil, pattern
		m.rebuild()
		return nil
	}
	return m.filter()
}

// filter asks for the rows that match, unless there is nothing to match.
func (m *model) filter() tea.Cmd {
	if strings.TrimSpace(m.list.pattern) == "" {
		return nil
	}
	m.filterGen++
	return filterRows(m.list.pattern, m.list.among, m.filterGen)
}

// renderOptions are those for messages of a row in a pane.
func (m *model) renderOptions(row *sessions.Row, width int) render.Options {
	return render.Options{Width: width, Left: 2, Styles: m.styles, Zone: m.zone, Dir: row.Workdir, Home: m.opts.Home}
}
