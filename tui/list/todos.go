package list

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// openTodo is an open todo or next step of a document.
type openTodo struct {
	row   *sessions.Row
	todo  sessions.Todo
	since time.Time // time of the chain's first document with this todo
}

const (
	todosAtFirst = 5
	nextStep     = "next"     // shown in place of a priority
	moreKey      = "\x00more" // key of the item that lists the remaining todos
)

// todo returns the text of the selected todo, or "".
func (l *pane) todo() string {
	if it := l.selected(); it.todo != nil {
		return it.todo.todo.Text
	}
	return ""
}

// isOnMore reports whether the bar is on the line that opens the list of all todos.
func (l *pane) isOnMore() bool { return l.selected().more != "" }

// toggleMore lists all todos, or only the first ones, with the next build.
func (l *pane) toggleMore() { l.docs.all, l.touched = !l.docs.all, true }

// openIn returns the open todos of the given documents. It caches the last result.
func (d *documents) openIn(rows []*sessions.Row) []openTodo {
	if d.openOf == nil || !slices.Equal(d.openOf, rows) {
		d.openOf, d.opened = rows, d.open(rows)
	}
	return d.opened
}

// open collects the open todos of the given documents.
func (d *documents) open(rows []*sessions.Row) []openTodo {
	var open []openTodo
	for _, o := range sessions.StillOpen(rows, d.chains) {
		if o.Next {
			o.Todo.Priority = nextStep
		}
		open = append(open, openTodo{row: o.Row, todo: o.Todo, since: o.Since})
	}
	return open
}

// openWords returns the numbers of open todos and next steps: "18 todos, 4 next steps in 4 documents".
func openWords(open []openTodo) string {
	in := map[string]bool{}
	todos := 0
	for i := range open {
		in[open[i].row.Path] = true
		if open[i].todo.Priority != nextStep {
			todos++
		}
	}
	var parts []string
	if todos > 0 {
		parts = append(parts, words.Counted(todos, "todo", "todos"))
	}
	if n := len(open) - todos; n > 0 {
		parts = append(parts, words.Counted(n, "next step", "next steps"))
	}
	return strings.Join(parts, ", ") + " in " + words.Counted(len(in), "document", "documents")
}

// addTodos adds the first open todos of the given documents, or all of them.
func (b *builder) addTodos(rows []*sessions.Row) {
	open := b.docs.openIn(rows)
	if len(open) == 0 {
		return
	}
	b.head(item{heading: "Still open", right: "since", note: openWords(open)})
	n := len(open)
	if !b.docs.all {
		n = min(n, todosAtFirst)
	}
	for i := range open[:n] {
		b.items = append(b.items, item{row: open[i].row, todo: &open[i], rows: 1})
	}
	switch {
	case n < len(open):
		b.items = append(b.items, item{more: "… " + words.Count(len(open)-n) + " more", rows: 1})
	case n > todosAtFirst:
		b.items = append(b.items, item{more: "… fewer", rows: 1})
	}
}
