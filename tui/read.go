package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// read opens a row in the reader, where it was left.
func (m *model) read(row sessions.Row) tea.Cmd {
	return m.push(reader.New(m.readerOptions(row)))
}

// readTodo opens a document at something that is open in it.
func (m *model) readTodo(row sessions.Row, text string) tea.Cmd {
	o := m.readerOptions(row)
	o.At, o.Seeks = nil, text
	return m.push(reader.New(o))
}

func (m *model) readerOptions(row sessions.Row) reader.Options {
	return reader.Options{
		Context: m.ctx, Source: m.Source, Row: row, At: m.spots[row.Path], Answers: m.markdown, Prose: m.prose,
		Held: m.heldRow, Chain: m.chainOf,
	}
}

// chainOf draws the chain of a document flat; nil when it is in none, or not all of it is known yet.
func (m *model) chainOf(path string, now time.Time, width int) []render.Span {
	if m.scope.partial {
		return nil
	}
	return m.lists[documentsTab].chainStatus(path, now, width)
}

// left remembers where one was in a row.
func (m *model) left(at reader.Left) {
	if delete(m.spots, at.Path); at.Spot != nil {
		m.spots[at.Path] = at.Spot
	}
}

// alongRead reads the document before one in its chain, or after it, in the place of the screen that asks.
func (m *model) alongRead(id int, along screen.Along) tea.Cmd {
	l := &m.lists[documentsTab]
	l.docs.chain(l.sorted()) // what has come since it was opened
	to, why := l.besideIn(along.Row.Path, along.Step)
	if to == nil {
		m.status.say(why)
		return nil
	}
	next := *to
	l.sel, l.touched = next.Path, true
	return tea.Batch(m.remove(id), m.read(next))
}

// isReading reports whether the reader is in front.
func (m *model) isReading() bool {
	_, ok := m.top().screen.(*reader.Page)
	return ok
}

// renderOptions are those for messages of a row in a pane.
func (m *model) renderOptions(row *sessions.Row, width int) talk.Options {
	return talk.Options{Width: width, Left: 2, Styles: m.styles, Zone: m.zone, Dir: row.Workdir, Home: m.opts.Home}
}

// markdownOf renders the texts of a row.
func (m *model) markdownOf(row *sessions.Row) reader.Markdown {
	if row.Kind == sessions.KindDocument {
		return m.prose
	}
	return m.markdown
}
