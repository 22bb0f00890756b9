package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
)

// read opens a row in the reader at its last position. If seeks is set, it opens a document at that todo.
func (m *model) read(row sessions.Row, seeks string) tea.Cmd {
	o := reader.Options{
		Context: m.ctx, Source: m.Source, Row: row, At: m.spots[row.Path], Answers: m.markdown, Prose: m.prose,
		Held: m.lists.Held, Chain: m.lists.ChainStatus,
	}
	if seeks != "" {
		o.At, o.Seeks = nil, seeks
	}
	return m.push(reader.New(o))
}

// alongRead replaces the screen with the given ID by the previous or next document of the chain.
func (m *model) alongRead(id int, along screen.Along) tea.Cmd {
	to, chained := m.lists.Beside(along.Row.Path, along.Step)
	if to == nil {
		m.status.say(list.NoneBeside(chained, along.Step))
		return nil
	}
	next := *to
	return tea.Batch(m.remove(id), m.read(next, ""))
}
