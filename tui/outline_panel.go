package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
)

// askOutline lists the sections of the document that is read, to go to one.
func (m *model) askOutline() tea.Cmd {
	r := m.reader
	if r == nil || r.doc == nil || len(r.refs) == 0 {
		return nil
	}
	return outlineDoc(r.ctx, r.doc, r.version, len(r.refs), r.gen)
}

// outlineRead puts the outline on the screen, with the bar on the section that one is in.
func (m *model) outlineRead(msg outlinedMsg) tea.Cmd {
	if !m.isCurrent(msg.gen) || msg.version != m.reader.version {
		return nil
	}
	if msg.err != nil {
		m.status.fail("The outline could not be read.", msg.err, m.opts.Home)
		return nil
	}
	mn := &dialog.MenuOptions{Title: "Outline", About: render.Title(&m.reader.row), Verb: "go to it"}
	at := 0
	for i := range msg.sections {
		s := &msg.sections[i]
		if s.At <= m.reader.bar.message {
			at = i
		}
		to := s.At
		it := dialog.Offer{Name: s.Label(), Note: s.Count(), Do: func(m *model) tea.Cmd {
			m.reader.toMessage(to, m.layout.Body.H)
			return nil
		}}
		if m.width < dialog.From && it.Note != "" { // beside it there is no room for a column
			it.Name, it.Note = it.Name+"  "+it.Note, ""
		}
		mn.Items = append(mn.Items, it)
	}
	mn.At = at
	return m.openMenu(mn)
}

// documentAnswered takes the message of a command about a document in.
func (m *model) documentAnswered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case soughtMsg:
		m.todoFound(msg)
	case outlinedMsg:
		return m.outlineRead(msg)
	}
	return nil
}
