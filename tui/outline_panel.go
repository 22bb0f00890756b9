package tui

import (
	tea "charm.land/bubbletea/v2"

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
		m.fail("The outline could not be read.", msg.err)
		return nil
	}
	mn := &menu{title: "Outline", about: render.Title(&m.reader.row), verb: "go to it"}
	at := 0
	for i := range msg.sections {
		s := &msg.sections[i]
		if s.at <= m.reader.bar.message {
			at = i
		}
		to := s.at
		it := offer{name: s.label(), note: s.count(), do: func(m *model) tea.Cmd {
			m.reader.toMessage(to, m.layout.Body.H)
			return nil
		}}
		if m.width < panelFrom && it.note != "" { // beside it there is no room for a column
			it.name, it.note = it.name+"  "+it.note, ""
		}
		mn.items = append(mn.items, it)
	}
	cmd := m.openMenu(mn)
	m.panel.at = at
	g := m.menuShape()
	m.scrollToItem(&g)
	return cmd
}

// documentAnswered takes the message of a command about a document in.
func (m *model) documentAnswered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case soughtMsg:
		m.todoFound(msg)
	case outlinedMsg:
		return m.outlineRead(msg)
	default:
		return m.recallAnswered(msg)
	}
	return nil
}
