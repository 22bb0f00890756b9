package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// read opens a row in the reader, where it was left; a document at something that is open in it.
func (m *model) read(row sessions.Row, seeks string) tea.Cmd {
	o := m.readerOptions(row)
	if seeks != "" {
		o.At, o.Seeks = nil, seeks
	}
	return m.push(reader.New(o))
}

func (m *model) readerOptions(row sessions.Row) reader.Options {
	return reader.Options{
		Context: m.ctx, Source: m.Source, Row: row, At: m.spots[row.Path], Answers: m.markdown, Prose: m.prose,
		Held: m.lists.Held, Chain: m.chainOf,
	}
}

// chainOf draws the chain of a document flat; nil when it is in none, or not all of it is known yet.
func (m *model) chainOf(path string, now time.Time, width int) []render.Span {
	if _, partial := m.lists.IsLoading(); partial {
		return nil
	}
	return m.lists.ChainStatus(path, now, width)
}

// left remembers where one was in a row.
func (m *model) left(at reader.Left) {
	if delete(m.spots, at.Path); at.Spot != nil {
		m.spots[at.Path] = at.Spot
	}
}

// alongRead reads the document before one in its chain, or after it, in the place of the screen that asks.
func (m *model) alongRead(id int, along screen.Along) tea.Cmd {
	to, chained := m.lists.Beside(along.Row.Path, along.Step)
	if to == nil {
		m.status.say(list.NoneBeside(chained, along.Step))
		return nil
	}
	next := *to
	return tea.Batch(m.remove(id), m.read(next, ""))
}

// isReading reports whether the reader is in front.
func (m *model) isReading() bool {
	_, ok := m.top().screen.(*reader.Page)
	return ok
}
