package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// intent is what the user can ask for, whatever key or click it comes from.
type intent = func(*model) tea.Cmd

// by moves by so many rows or lines.
func by(delta int) intent {
	return func(m *model) tea.Cmd { return m.move(delta) }
}

func (m *model) move(delta int) tea.Cmd {
	if m.focus == onPreview {
		m.scrollPreview(delta)
	} else {
		m.moveInList(delta, m.layout.Body.H)
	}
	return nil
}

// page moves by so many rows at once: the view of the preview in the place of the list, the bar of a list.
func (m *model) page(delta int) tea.Cmd {
	if !m.layout.Flipped {
		return m.move(delta)
	}
	m.scrollPreview(delta)
	return nil
}

func (m *model) scrollPreview(delta int) {
	row := m.list.selected()
	m.preview.Scroll(delta, m.layout.Preview.H, row != nil && row.Kind == sessions.KindDocument)
}

// pages moves by so many pages, and halves by so many halves of one.
func pages(n int) intent {
	return func(m *model) tea.Cmd { return m.page(n * max(m.layout.Body.H-1, 1)) }
}

func halves(n int) intent {
	return func(m *model) tea.Cmd { return m.page(n * max(m.layout.Body.H/2, 1)) }
}

// toEnd goes to the first or, above 0, to the last.
func toEnd(n int) intent {
	if n < 0 {
		return (*model).toFirst
	}
	return (*model).toLast
}

func (m *model) toFirst() tea.Cmd { return m.move(-len(m.list.items) - len(m.preview.Lines)) }
func (m *model) toLast() tea.Cmd  { return m.move(len(m.list.items) + len(m.preview.Lines)) }

func (m *model) isBeside() bool { return m.layout.Divider > 0 }

func (m *model) toList() tea.Cmd {
	m.focus = onList
	return nil
}

func (m *model) toPreview() tea.Cmd {
	m.focus = onPreview
	return nil
}

// readSelected opens the selected row in the reader.
func (m *model) readSelected() tea.Cmd {
	if cmd, done := m.enterDocuments(); done {
		return cmd
	}
	row := m.list.selected()
	if row == nil {
		return nil
	}
	m.preview.Stop()
	return m.read(*row)
}

// whyNotRead is the reason why the selected row cannot be opened.
func (m *model) whyNotRead() string { return screen.WhyNotRead(m.list.selected()) }

// subject is the row that an action is about: the one being read, else the selected one.
func (m *model) subject() *sessions.Row { return m.top().screen.Subject().Row }

func (m *model) subjectOfRest() *sessions.Row {
	if m.onHead() {
		return nil
	}
	return m.list.selected()
}

func (m *model) hasSubject() bool { return m.subject() != nil }

func (m *model) hasRows() bool    { return m.list.tally.total > 0 }
func (m *model) hasProject() bool { return m.scope.project != "" && m.list.tally.total > 0 }

// hasHidden reports whether . would show or hide something.
func (m *model) hasHidden() bool {
	t := &m.list.tally
	return t.hiddenRuns+t.hiddenStubs > 0 || m.scope.showHidden && m.list.kind == sessions.KindSession
}

func (m *model) toggleAll() tea.Cmd {
	m.scope.all = !m.scope.all
	m.list.touched = true // the bar stays on its session
	m.relist()
	return m.narrow()
}

func (m *model) toggleHidden() tea.Cmd {
	m.scope.showHidden = !m.scope.showHidden
	m.list.touched = true
	m.relist()
	return m.narrow()
}

// togglePreview shows or hides the preview; where there is no room beside the list it takes the list's place.
func (m *model) togglePreview() tea.Cmd {
	if m.width < previewFrom {
		m.flipped = !m.flipped
	} else {
		m.previewOff = !m.previewOff
	}
	m.arrange()
	return nil
}

// refresh reads the list again.
func (m *model) refresh() tea.Cmd {
	m.lookForLedger()
	return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}))
}

func (m *model) startFilter() tea.Cmd {
	m.list.typing, m.flipped = true, false
	m.arrange()
	return nil
}

func (m *model) keepFilter() tea.Cmd {
	m.list.typing, m.list.best = false, false // what is kept stands still
	m.arrange()
	return nil
}

// clear takes back one thing: the error that is shown, what is typed or marked, the preview in the place of the list.
func (m *model) clear() tea.Cmd {
	switch {
	case m.status.bad:
		m.status = status{}
	case m.onHead():
		m.list.onHead = false
	case m.hasMarks() && !m.list.typing:
		m.unmarkAll()
	case m.layout.Flipped:
		return m.togglePreview()
	case m.focus == onPreview:
		return m.toList()
	case m.led != nil && !m.list.typing && m.list.field.Text() == "":
		return m.showPage(m.led.Again())
	default:
		m.list.typing = false
		cmd := m.setPattern("")
		m.arrange()
		return cmd
	}
	return nil
}

// back goes up one level and quits at the top.
func (m *model) back() tea.Cmd {
	bad := m.status.bad
	m.status = status{}
	switch {
	case m.layout.Flipped, m.focus == onPreview, m.list.field.Text() != "", m.hasMarks():
		return m.clear()
	case bad:
		return nil
	}
	return tea.Quit
}
