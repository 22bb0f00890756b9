package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
)

// read opens a row in the reader. The reader starts at a match or a todo, or else at its last position.
func (m *model) read(e screen.Read) tea.Cmd {
	o := reader.Options{
		Context: m.ctx, Source: m.Source, Row: e.Row, At: m.spots[e.Row.Path], Answers: m.markdown, Prose: m.prose,
		Held: m.lists.Held, Chain: m.lists.ChainStatus, Agent: e.Agent,
	}
	if e.Seeks != "" || e.At != nil {
		o.At, o.Seeks, o.Match = nil, e.Seeks, e.At
	}
	return m.push(reader.New(o))
}

// alongRead replaces the screen with an ID by the previous or the next document of the chain.
func (m *model) alongRead(id int, along screen.Along) tea.Cmd {
	to, chained := m.lists.Beside(along.Row.Path, along.Step)
	if to == nil {
		m.status.say(list.NoneBeside(chained, along.Step))
		return nil
	}
	return tea.Batch(m.remove(id), m.read(screen.Read{Row: *to}))
}
