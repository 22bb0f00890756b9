package tui

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// drawDocuments draws an item that only the list of documents has; nil is none of those.
func (l *list) drawDocuments(it item, o render.RowOptions) []string {
	switch {
	case it.todo != nil:
		return []string{render.TodoRow(it.todo.todo, it.todo.since, o)}
	case it.more != "":
		return []string{render.MoreRow(it.more, o)}
	case it.note != "":
		line := render.NewLine(o.Styles, o.Width).To(4)
		note := render.Span{Ink: render.Faint, Text: " " + it.note}
		end := o.Width - 1 - render.SpansWidth([]render.Span{note})
		line.PutUntil(render.Heading, it.heading, max(end, o.Width/2)).PutUntil(note.Ink, note.Text, o.Width-1)
		return []string{line.Right(o.Width-1, render.Span{Ink: render.Faint, Text: it.right}).String()}
	}
	return nil
}

// chainStatus draws the chain of a document flat; nil when it is in none.
func (l *list) chainStatus(p string, now time.Time, width int) []render.Span {
	k, ok := l.docs.links[p]
	if !ok || !k.Linked() {
		return nil
	}
	var dates []time.Time
	for _, r := range k.Rows {
		var when time.Time
		if r.Dated() {
			when = r.When()
		}
		dates = append(dates, when)
	}
	const name = "linked  "
	return append([]render.Span{{Ink: render.Muted, Text: name}}, render.FlatChain(dates, k.at, railEnd(k.End), now, width-len(name))...)
}

// documentStatus draws the status of the list of documents. It reports whether there is something to say.
func (m *model) documentStatus(l *render.Line, width int, left, right string) bool {
	row := m.subject()
	if row == nil || row.Kind != sessions.KindDocument || m.scope.partial {
		return false
	}
	end := []render.Span{{Ink: render.Faint, Text: right}}
	if n := m.list.docs.unplaced(); n > 0 {
		end = []render.Span{{Ink: render.Bad, Text: "✗"}, {Ink: render.Muted, Text: " " + words.Count(n) + " can't be linked"}}
	}
	room := width - 2 - render.SpansWidth(end) - 2
	chain := m.list.chainStatus(row.Path, m.now, room)
	switch {
	case render.SpansWidth(chain) <= room && len(chain) > 0:
		l.Spans(chain...)
	default:
		l.PutUntil(render.Faint, left, width-1)
	}
	l.Right(width-1, end...)
	return true
}
