package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// onDocument reports whether a document is the subject.
func (m *model) onDocument() bool {
	row := m.subject()
	return row != nil && row.Kind == sessions.KindDocument
}

// inChain reports whether that stands in a chain.
func (m *model) inChain() bool {
	if !m.onDocument() {
		return false
	}
	k, ok := m.lists[documentsTab].docs.links[m.subject().Path]
	return ok && k.Linked()
}

// canEnter reports whether the bar is on something that enter opens.
func (m *model) canEnter() bool { return m.hasSubject() || m.list.sel == moreKey }

// enterDocuments opens what is open in a document there, or lists the rest of that. It reports whether the bar is on
// such a line.
func (m *model) enterDocuments() (cmd tea.Cmd, done bool) {
	l := m.list
	i := l.index()
	if i >= len(l.items) {
		return nil, false
	}
	switch it := l.items[i]; {
	case it.more != "":
		l.docs.all = !l.docs.all
		l.touched = true
		m.rebuild()
		return nil, true
	case it.todo != nil:
		m.preview.Stop()
		return m.readTodo(*it.row, it.todo.todo.Text), true
	}
	return nil, false
}

// along goes to the document before the one under the bar in its chain (1), or to the one after it (-1).
func along(step int) intent {
	return func(m *model) tea.Cmd {
		l, row := m.list, m.subject()
		if row == nil {
			return nil
		}
		switch to, why := l.besideIn(row.Path, step); {
		case to == nil:
			m.status.say(why)
		case !l.choose(l.find(to.Path)):
			m.status.say("The filter hides the " + map[bool]string{true: "previous", false: "next"}[step > 0] + " linked session.")
		default:
			l.reveal(m.layout.Body.H)
		}
		return nil
	}
}

// besideIn is the document before one in its chain (1), or after it (-1); why says why there is none.
func (l *list) besideIn(path string, step int) (to *sessions.Row, why string) {
	to, chained := l.docs.beside(path, step)
	switch {
	case !chained:
		return nil, "This document isn't linked to another."
	case to == nil && step > 0:
		return nil, "No earlier linked session."
	case to == nil:
		return nil, "No later linked session."
	}
	return to, ""
}

// editOfRest is what the editor opens: a document, at what is open in it where the bar stands on that. Nil: nothing here has
// a file.
func (m *model) editOfRest() *screen.Edit {
	row := m.subjectOfRest()
	if row == nil || row.Kind != sessions.KindDocument {
		return nil
	}
	if l := m.list; !m.isCovered() && len(l.items) > 0 {
		if it := l.items[l.index()]; it.todo != nil {
			return &screen.Edit{Row: *row, Find: todoLine(m.Source, *row, it.todo.todo.Text)}
		}
	}
	return &screen.Edit{Row: *row, File: row.Path}
}
