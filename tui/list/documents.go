package list

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// documents is what the list of documents knows besides its rows: how they are chained, and what is open in them.
type documents struct {
	chains []sessions.Chain // newest first, those of a project together
	links  map[string]link  // by path
	all    bool             // everything that is open is listed

	of     []*sessions.Row // that are chained; a row that changes is another one
	openOf []*sessions.Row // of which what is open was gathered last
	opened []openTodo
}

// link is where a document stands: in which of the chains, and in that, 0 the newest.
type link struct {
	*sessions.Chain
	at int
}

// isLast reports whether the document is the first that was written of its chain.
func (k *link) isLast() bool { return k.at == len(k.Rows)-1 }

// openTodo is something that is still open in a document: a todo, or a next step.
type openTodo struct {
	row   *sessions.Row
	todo  sessions.Todo
	since time.Time // of the first document of its chain that has it
}

const (
	todosAtFirst = 5
	nextStep     = "next"     // in the place of a priority
	moreKey      = "\x00more" // of the item that lists the rest of what is open
)

// chain finds how the rows in scope are chained, when they are others than before.
func (d *documents) chain(shown []*sessions.Row) {
	if d.links != nil && slices.Equal(d.of, shown) {
		return
	}
	d.of, d.openOf = shown, nil
	d.chains, d.links = byProjects(sessions.Chains(shown)), make(map[string]link, len(shown))
	for i := range d.chains {
		for at, r := range d.chains[i].Rows {
			d.links[r.Path] = link{&d.chains[i], at}
		}
	}
}

// beside is the document that one continues (1), or that continues it (-1); nil at the ends. Chained reports whether
// there is a chain.
func (d *documents) beside(p string, step int) (row *sessions.Row, chained bool) {
	k, ok := d.links[p]
	if !ok || !k.Linked() {
		return nil, false
	}
	switch at := k.at + step; {
	case at >= 0 && at < len(k.Rows):
		return k.Rows[at], true
	case step > 0:
		return k.Fork, true
	}
	return nil, true
}

// isLinked reports whether a document stands in a chain with others.
func (d *documents) isLinked(path string) bool {
	k, ok := d.links[path]
	return ok && k.Linked()
}

// unplaced is how many documents are in no chain and may belong into one.
func (d *documents) unplaced() int {
	n := 0
	for i := range d.chains {
		if c := &d.chains[i]; !c.Linked() && (!c.Placed() || render.Unplaced(c.Rows[0])) {
			n++
		}
	}
	return n
}

// chained is how a row is drawn in its chain. The rail is heavy from the first document to where one is.
func (l *pane) chained(r *sessions.Row, h *filter.Hit) render.Chained {
	k, ok := l.docs.links[r.Path]
	if !ok || l.kind != sessions.KindDocument {
		return render.Chained{}
	}
	c := render.Chained{Within: k.Linked() && h == nil}
	if k.isLast() {
		c.Problem = k.Note
	}
	here, is := l.docs.links[l.sel]
	switch {
	case h != nil:
	case k.isLast():
		c.Rail = railEnd(k.End)
	case is && here.Chain == k.Chain && k.at >= here.at:
		c.Rail = render.RailHere
	default:
		c.Rail = render.RailBeside
	}
	return c
}

// railEnd is what a rail ends in.
func railEnd(e sessions.ChainEnd) render.Rail {
	switch e {
	case sessions.ChainFork:
		return render.RailFork
	case sessions.ChainMissing, sessions.ChainCycle:
		return render.RailBroken
	case sessions.ChainFirst, sessions.ChainMalformed:
	}
	return render.NoRail
}

// itemsOfDocuments lists the chains, then what is in none, then what is still open.
func (l *pane) itemsOfDocuments(shown []*sessions.Row, blanks bool) {
	head := l.heading(blanks)
	add := func(r *sessions.Row) {
		l.items = append(l.items, item{row: r, rows: l.rowsOf(r, nil)})
	}
	var alone []*sessions.Row
	for i := range l.docs.chains {
		c := &l.docs.chains[i]
		if !c.Linked() {
			alone = append(alone, c.Rows...)
			continue
		}
		head(item{heading: l.nameOf(c.Rows[0]), note: l.noteOf(c)})
		for _, r := range c.Rows {
			add(r)
		}
	}
	if len(alone) > 0 {
		head(item{heading: "Standalone", count: len(alone)})
		for _, r := range alone {
			add(r)
		}
	}
	l.itemsOfTodos(shown, head)
}

// heading adds a heading; blanks puts a blank line before each but the first.
func (l *pane) heading(blanks bool) func(item) {
	return func(h item) {
		if h.rows = 1; blanks && len(l.items) > 0 {
			l.items = append(l.items, item{rows: 1})
		}
		l.items = append(l.items, h)
	}
}

// itemsOfOpenHits lists what is open in the documents that a filter leaves, when it only narrows: to a text, other
// lines are no answer.
func (l *pane) itemsOfOpenHits(blanks bool) {
	if _, text := filter.Parse(l.answered); l.kind != sessions.KindDocument || text != "" {
		return
	}
	var rows []*sessions.Row
	for i := range l.hits {
		if held := l.held[l.hits[i].Path]; held != nil {
			rows = append(rows, &held.row)
		}
	}
	l.itemsOfTodos(rows, l.heading(blanks))
}

// nameOf is what a chain is called, by its newest document.
func (l *pane) nameOf(r *sessions.Row) string {
	return cmp.Or(transcript.CleanLine(r.Branch), render.Base(r.Project), render.Title(r))
}

func (l *pane) noteOf(c *sessions.Chain) string {
	note := words.Counted(len(c.Rows), "linked session", "linked sessions")
	if c.Fork != nil {
		note = "branches off"
		if k := l.docs.links[c.Fork.Path]; k.Chain != nil {
			name := l.nameOf(k.Rows[0])
			if name == l.nameOf(c.Rows[0]) { // that would say nothing
				name = render.Title(c.Fork)
			}
			note += " " + name
		}
	}
	if project := render.Base(c.Rows[0].Project); l.scope.wide() && project != "" && project != l.nameOf(c.Rows[0]) {
		note += " · " + project
	}
	return note
}

// itemsOfTodos lists what is open in some documents: the first of it, or all.
func (l *pane) itemsOfTodos(rows []*sessions.Row, head func(item)) {
	open := l.docs.openIn(rows)
	if len(open) == 0 {
		return
	}
	head(item{heading: "Still open", right: "since", note: openWords(open)})
	n := len(open)
	if !l.docs.all {
		n = min(n, todosAtFirst)
	}
	for i := range open[:n] {
		l.items = append(l.items, item{row: open[i].row, todo: &open[i], rows: 1})
	}
	switch {
	case n < len(open):
		l.items = append(l.items, item{more: "… " + words.Count(len(open)-n) + " more", rows: 1})
	case n > todosAtFirst:
		l.items = append(l.items, item{more: "… fewer", rows: 1})
	}
}

// openIn is open, of the rows that it was asked for last without a look at them.
func (d *documents) openIn(rows []*sessions.Row) []openTodo {
	if d.openOf == nil || !slices.Equal(d.openOf, rows) {
		d.openOf, d.opened = rows, d.open(rows)
	}
	return d.opened
}

// open gathers what is open in some of the documents.
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

// openWords counts what is open: "18, next 4 in 4 documents".
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
		parts = append(parts, words.Count(todos))
	}
	if n := len(open) - todos; n > 0 {
		parts = append(parts, nextStep+" "+words.Count(n))
	}
	return strings.Join(parts, ", ") + " in " + words.Counted(len(in), "document", "documents")
}
