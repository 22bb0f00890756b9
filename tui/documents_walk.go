package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// onDocument reports whether a document is the subject, in the list or in the reader.
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
func (m *model) canEnter() bool { return m.hasSubject() || m.list.sel == moreKey && m.reader == nil }

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
		cmd := m.openReader(*it.row)
		m.reader.at, m.reader.seeks = nil, it.todo.todo.Text
		return cmd, true
	}
	return nil, false
}

// along goes to the document before one in its chain (1), or to the one after it (-1): in the list the bar, in the
// reader what is read.
func along(step int) intent {
	return func(m *model) tea.Cmd {
		l, row := m.list, m.subject()
		if row == nil {
			return nil
		}
		if m.reader != nil {
			l = &m.lists[documentsTab]
			l.docs.chain(l.sorted()) // what has come since it was opened
		}
		to, chained := l.docs.beside(row.Path, step)
		switch {
		case !chained:
			m.status.say("This document isn't linked to another.")
		case to == nil && step > 0:
			m.status.say("No earlier linked session.")
		case to == nil:
			m.status.say("No later linked session.")
		case m.reader != nil:
			next := *to
			l.sel, l.touched = next.Path, true
			return tea.Batch(m.leaveReader(), m.openReader(next))
		case !l.choose(l.find(to.Path)):
			m.status.say("The filter hides the " + map[bool]string{true: "previous", false: "next"}[step > 0] + " linked session.")
		default:
			l.reveal(m.layout.Body.H)
		}
		return nil
	}
}

// backwards and onwards go to what [ and ] mean in the reader.
func (m *model) backwards() tea.Cmd {
	if m.isDocument() {
		return along(1)(m)
	}
	return m.previousBound()
}

func (m *model) onwards() tea.Cmd {
	if m.isDocument() {
		return along(-1)(m)
	}
	return m.nextBound()
}

// todoFound goes to what the reader was opened for.
func (m *model) todoFound(msg soughtMsg) {
	r := m.reader
	if !m.isCurrent(msg.gen) || msg.version != r.version || msg.message < 0 || msg.message >= len(r.refs) {
		return
	}
	r.toMessage(msg.message, m.layout.Body.H)
	r.goal = &goal{message: msg.message, row: min(m.layout.Body.H/3, 8), text: msg.text}
	r.reach(m.layout.Body.H)
}

// lineWith is the first line of a part of a drawing that has the beginning of a text.
func (e *cached) lineWith(p talk.Part, text string) int {
	want := []rune(opened.Plain(text))
	for n := min(len(want), 48); n > 0; n /= 2 {
		for i, line := range e.lines[p.From:p.To] {
			if strings.Contains(opened.Plain(ansi.Strip(line)), string(want[:n])) {
				return i
			}
		}
	}
	return 0
}

// editOfRest is what the editor opens: a document, at the section under the bar or at what is open in it; the file that the
// call under the bar names. Nil: nothing here has a file.
func (m *model) editOfRest() *screen.Edit {
	row, r := m.subjectOfRest(), m.reader
	switch {
	case row == nil:
		return nil
	case row.Kind != sessions.KindDocument && r == nil:
		return nil
	case row.Kind != sessions.KindDocument && m.whyNoPart() != "":
		return &screen.Edit{Row: *row} // nothing, for now
	case row.Kind != sessions.KindDocument:
		return &screen.Edit{
			Row: *row, Find: partFile(r.doc, r.version, r.bar.message, r.part(r.bar).Block),
			None: "No file is named here. Put the bar on a call that reads or edits one.",
		}
	case r != nil && r.doc != nil && len(r.refs) > 0:
		return &screen.Edit{Row: *row, Find: sectionStart(row.Path, r.doc, r.version, r.bar.message)}
	}
	if l := m.list; !m.isCovered() && len(l.items) > 0 {
		if it := l.items[l.index()]; it.todo != nil {
			return &screen.Edit{Row: *row, Find: todoLine(m.Source, *row, it.todo.todo.Text)}
		}
	}
	return &screen.Edit{Row: *row, File: row.Path}
}

// partOfRest is what is read, under the bar. why says why there is none, where something is read.
func (m *model) partOfRest() (part *screen.Copy, why string) {
	if r := m.reader; r != nil {
		if why = m.whyNoPart(); why == "" {
			part = &screen.Copy{Name: "the selection", Find: partText(r.doc, r.version, r.bar.message, r.part(r.bar).Block), None: "There is no text here to copy."}
		}
	}
	return part, why
}

// whyNoPart is the reason why there is nothing under the bar.
func (m *model) whyNoPart() string {
	if r := m.reader; r == nil || r.doc == nil || len(r.refs) == 0 {
		return "nothing is shown"
	}
	return ""
}
