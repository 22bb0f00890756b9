package list

import (
	"time"

	"github.com/continuo-tui/continuo/tui/render"
)

// drawDocuments draws an item that only the list of documents has; nil is none of those.
func (l *pane) drawDocuments(it item, o render.RowOptions) []string {
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
func (l *pane) chainStatus(p string, now time.Time, width int) []render.Span {
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
