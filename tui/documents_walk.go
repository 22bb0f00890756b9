package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/talk"
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

// lineIn is the line of a text that has what is sought, from 0; -1 none has.
func lineIn(text, want string) int {
	n := 0
	for line := range strings.Lines(text) {
		if got := sought(line); want != "" && got != "" && (strings.Contains(got, want) || len(got) >= leastSought && strings.Contains(want, got)) {
			return n
		}
		n++
	}
	return -1
}

// leastSought is how much of a text a line has to have that does not have all of it: one that is wrapped.
const leastSought = 24

// sought is a text as it is compared: without marks, which markdown takes away, and box and priority.
func sought(text string) string {
	if t, ok := sessions.ParseTodo(text); ok {
		text = t.Text
	} else if t, ok := sessions.ParseTodo("- " + text); ok { // without its mark
		text = t.Text
	}
	text = strings.NewReplacer("*", "", "`", "", `\`, "").Replace(transcript.CleanLine(text))
	text = strings.TrimLeft(text, "0123456789.)-+ ")
	return strings.ToLower(text)
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
	want := []rune(sought(text))
	for n := min(len(want), 48); n > 0; n /= 2 {
		for i, line := range e.lines[p.From:p.To] {
			if strings.Contains(sought(ansi.Strip(line)), string(want[:n])) {
				return i
			}
		}
	}
	return 0
}

// editDocument opens a document in the editor, at the section under the bar or at what is open in it.
func (m *model) editDocument(row sessions.Row) tea.Cmd {
	if r := m.reader; r != nil && r.doc != nil && len(r.refs) > 0 {
		return editSection(m.begin(), m.Actions, row, r.doc, r.version, r.bar.message, m.resumeGen)
	}
	if l := m.list; !m.isCovered() && len(l.items) > 0 {
		if it := l.items[l.index()]; it.todo != nil {
			return editTodo(m.begin(), m.Source, m.Actions, row, it.todo.todo.Text, m.resumeGen)
		}
	}
	return editFile(m.begin(), m.Actions, row, row.Path, 0, m.resumeGen)
}
