package list

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
)

// drawDocuments draws an item of the list of documents. It returns nil for other items.
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

// chainStatus draws the chain of a document as one line. It returns nil without a chain.
func (d *documents) chainStatus(p string, now time.Time, width int) []render.Span {
	k, ok := d.links[p]
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

// ofChain adds to the facts of a preview where the document is in its chain.
func (d *documents) ofChain(f *preview.Facts, path string) {
	k, ok := d.links[path]
	if ok && k.Linked() {
		n := len(k.Rows)
		of := " of " + words.Count(n) + " linked sessions"
		switch {
		case n == 1: // the note names the document of the fork
		case k.at == 0:
			f.Chained = "newest" + of
		case k.isLast() && k.Fork == nil:
			f.Chained = "first" + of
		default:
			f.Chained = words.Count(n-k.at) + of
		}
	}
	if ok && k.isLast() {
		switch k.End {
		case sessions.ChainFork:
			f.Linked, f.Link = render.Span{Ink: render.Warn, Text: "◇"}, k.Note
		case sessions.ChainMissing, sessions.ChainCycle:
			f.Linked, f.Link = render.Span{Ink: render.BadBold, Text: "✗"}, k.Note
		case sessions.ChainFirst, sessions.ChainMalformed:
		}
	}
}
