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
	switch rows := m.layout.Body.H; {
	case m.reader != nil && len(m.reader.refs) > 0:
		m.reader.step(delta, rows)
	case m.reader != nil:
	case m.focus == onPreview:
		m.scrollPreview(delta)
	default:
		m.moveInList(delta, rows)
	}
	return nil
}

// page moves by so many rows at once: the view of a conversation or of the preview in the place of the list, the bar
// of a list.
func (m *model) page(delta int) tea.Cmd {
	switch {
	case m.reader == nil && m.layout.Flipped:
		m.scrollPreview(delta)
		return nil
	case m.reader == nil:
		return m.move(delta)
	}
	m.reader.ahead = aheadAtOnce
	m.reader.scroll(delta, m.layout.Body.H)
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

func (m *model) toFirst() tea.Cmd {
	if r := m.reader; r != nil {
		r.toFirst(m.layout.Body.H)
		return nil
	}
	return m.move(-len(m.list.items) - len(m.preview.Lines))
}

func (m *model) toLast() tea.Cmd {
	if r := m.reader; r != nil {
		r.toLast(m.layout.Body.H)
		return nil
	}
	return m.move(len(m.list.items) + len(m.preview.Lines))
}

func (m *model) previousPrompt() tea.Cmd {
	return m.jump(m.reader.prompts, -1, "No prompt before this one.")
}

func (m *model) nextPrompt() tea.Cmd { return m.jump(m.reader.prompts, 1, "No prompt after this one.") }

func (m *model) previousBound() tea.Cmd {
	return m.jump(m.reader.bounds, -1, "No boundary before this.")
}
func (m *model) nextBound() tea.Cmd { return m.jump(m.reader.bounds, 1, "No boundary after this.") }

func (m *model) jump(stops []int, step int, none string) tea.Cmd {
	if !m.reader.jump(stops, step, m.layout.Body.H) {
		if m.isDocument() {
			none = "No section there."
		}
		m.status.say(none)
	}
	return nil
}

// foldOne opens what the bar stands on, or shuts it.
func (m *model) foldOne() tea.Cmd {
	if !m.reader.fold(m.layout.Body.H) {
		m.status.say("Nothing to open here.")
	}
	return nil
}

func (m *model) foldAll() tea.Cmd {
	m.reader.foldAll()
	return nil
}

// follow keeps the view at the end of the conversation while it grows, until something is scrolled.
func (m *model) follow() tea.Cmd {
	r := m.reader
	if r.follow = !r.follows(); r.follow {
		r.toEnd(m.layout.Body.H)
	} else {
		r.win.Pin = 0
	}
	return m.followNow()
}

func (m *model) startSearch() tea.Cmd {
	f := &m.reader.find
	f.typing = true
	f.field.Set("")
	return nil
}

func (m *model) search() tea.Cmd { return m.reader.search() }

func (m *model) nextPlace() tea.Cmd     { return m.stepPlace(1) }
func (m *model) previousPlace() tea.Cmd { return m.stepPlace(-1) }

func (m *model) stepPlace(step int) tea.Cmd {
	m.reader.stepPlace(step, m.layout.Body.H)
	return nil
}

func (m *model) hasSearch() bool { return m.reader != nil && m.reader.find.pattern != "" }
func (m *model) hasBounds() bool {
	return m.reader != nil && len(m.reader.bounds) > 0 && !m.isDocument()
}

func (m *model) isDocument() bool {
	return m.reader != nil && m.reader.row.Kind == sessions.KindDocument
}
func (m *model) isTranscript() bool { return !m.isDocument() }
func (m *model) isBeside() bool     { return m.layout.Divider > 0 }

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
	return m.openReader(*row)
}

// whyNotRead is the reason why the selected row cannot be opened.
func (m *model) whyNotRead() string { return screen.WhyNotRead(m.list.selected()) }

// subject is the row that an action is about: the one being read, else the selected one.
func (m *model) subject() *sessions.Row { return m.top().screen.Subject().Row }

func (m *model) subjectOfRest() *sessions.Row {
	switch {
	case m.isReading():
		return &m.reader.row
	case m.onHead():
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

// refresh reads the list again, or the file of the open conversation.
func (m *model) refresh() tea.Cmd {
	r := m.reader
	if r == nil {
		m.lookForLedger()
		return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}))
	}
	row := r.row
	return tea.Batch(m.leaveReader(), m.openReader(row))
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

// clear takes back one thing: the error that is shown, what is typed or looked for, the preview in the place of
// the list; in a conversation it then goes back to the list.
func (m *model) clear() tea.Cmd {
	r := m.reader
	switch {
	case m.status.bad:
		m.status = status{}
	case r != nil && r.find.typing:
		r.find.typing = false
	case r != nil && r.find.pattern != "":
		r.find.clear()
	case r != nil:
		return m.leaveReader()
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
	case m.reader != nil:
		return m.leaveReader()
	case m.layout.Flipped, m.focus == onPreview, m.list.field.Text() != "", m.hasMarks():
		return m.clear()
	case bad:
		return nil
	}
	return tea.Quit
}
