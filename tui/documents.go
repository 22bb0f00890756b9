package tui

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// documents is what the list of documents knows besides its rows: how they are chained, and what is open in them.
type documents struct {
	chains []sessions.Chain // newest first
	links  map[string]link  // by path
	all    bool             // everything that is open is listed
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

// key is what the bar knows an item by; "" it does not stand there.
func (it *item) key() string {
	switch {
	case it.todo != nil:
		return it.row.Path + "\x00" + it.todo.todo.Text
	case it.more != "":
		return moreKey
	case it.row != nil:
		return it.row.Path
	}
	return ""
}

// chain finds how the rows in scope are chained.
func (d *documents) chain(shown []*sessions.Row) {
	d.chains, d.links = sessions.Chains(shown), make(map[string]link, len(shown))
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

// line is the chain of a document, and where that forks off what comes before the fork.
func (d *documents) line(k link) []*sessions.Row {
	rows := slices.Clone(k.Rows)
	for n := 0; k.Fork != nil && n < len(d.chains); n++ { // forks of forks end; what is wrong with them does not hang
		if k = d.links[k.Fork.Path]; k.Chain == nil {
			break
		}
		rows = append(rows, k.Rows[k.at:]...)
	}
	return rows
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
func (l *list) chained(r *sessions.Row, h *hit) render.Chained {
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
func (l *list) itemsOfDocuments(shown []*sessions.Row, blanks bool) {
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
		head(item{heading: "In no chain", count: len(alone)})
		for _, r := range alone {
			add(r)
		}
	}
	l.itemsOfTodos(shown, head)
}

// heading adds a heading; blanks puts a blank line before each but the first.
func (l *list) heading(blanks bool) func(item) {
	return func(h item) {
		if h.rows = 1; blanks && len(l.items) > 0 {
			l.items = append(l.items, item{rows: 1})
		}
		l.items = append(l.items, h)
	}
}

// itemsOfOpenHits lists what is open in the documents that a filter leaves, when it only narrows: to a text, other lines
// are no answer.
func (l *list) itemsOfOpenHits(blanks bool) {
	if l.kind != sessions.KindDocument || !onlyTerms(l.answered) {
		return
	}
	var rows []*sessions.Row
	for i := range l.hits {
		if held := l.held[l.hits[i].path]; held != nil {
			rows = append(rows, &held.row)
		}
	}
	l.itemsOfTodos(rows, l.heading(blanks))
}

// nameOf is what a chain is called, by its newest document.
func (l *list) nameOf(r *sessions.Row) string {
	return cmp.Or(transcript.CleanLine(r.Branch), l.projectOf(r), render.Title(r))
}

func (l *list) projectOf(r *sessions.Row) string {
	if r.Project == "" {
		return ""
	}
	return transcript.CleanLine(path.Base(strings.ReplaceAll(r.Project, `\`, "/")))
}

func (l *list) noteOf(c *sessions.Chain) string {
	note := "chain of " + render.Count(len(c.Rows))
	if c.Fork != nil {
		note = "branches off"
		if k := l.docs.links[c.Fork.Path]; k.Chain != nil {
			note += " " + l.nameOf(k.Rows[0])
		}
	}
	if project := l.projectOf(c.Rows[0]); l.scope.wide() && project != "" && project != l.nameOf(c.Rows[0]) {
		note += " · " + project
	}
	return note
}

// itemsOfTodos lists what is open in some documents: the first of it, or all.
func (l *list) itemsOfTodos(rows []*sessions.Row, head func(item)) {
	open := l.docs.open(rows)
	if len(open) == 0 {
		return
	}
	in := map[string]bool{}
	for i := range open {
		in[open[i].row.Path] = true
	}
	head(item{
		heading: "Still open", right: "since",
		note: render.Count(len(open)) + " in " + render.Counted(len(in), "document", "documents"),
	})
	n := len(open)
	if !l.docs.all {
		n = min(n, todosAtFirst)
	}
	for i := range open[:n] {
		l.items = append(l.items, item{row: open[i].row, todo: &open[i], rows: 1})
	}
	switch {
	case n < len(open):
		l.items = append(l.items, item{more: "… " + render.Count(len(open)-n) + " more", rows: 1})
	case n > todosAtFirst:
		l.items = append(l.items, item{more: "… fewer", rows: 1})
	}
}

// open gathers the open todos of documents, and the next steps of those that nothing continues: what is urgent first,
// of that the newest. What several documents of a chain have open is listed once, in the newest, since the first; what one of them has done
// is not open in an older one.
func (d *documents) open(rows []*sessions.Row) []openTodo {
	type name struct {
		chain *sessions.Chain
		text  string
	}
	known := map[name]int{}
	var open []openTodo
	rows = slices.SortedStableFunc(slices.Values(rows), (*sessions.Row).Compare)
	for _, r := range rows {
		if r.Deleted {
			continue
		}
		k, ok := d.links[r.Path]
		if !ok {
			continue
		}
		add := func(t sessions.Todo) {
			is := name{k.Chain, strings.ToLower(t.Text)}
			at, ok := known[is]
			switch {
			case ok && at >= 0:
				open[at].since = r.When()
				return
			case ok: // a newer one has it done
				return
			case t.Done:
				known[is] = -1
				return
			}
			known[is] = len(open)
			open = append(open, openTodo{row: r, todo: t, since: r.When()})
		}
		for _, t := range r.Todos {
			add(t)
		}
		for _, text := range r.Next {
			if k.at == 0 && isArchived(r) {
				add(sessions.Todo{Text: text, Priority: nextStep})
			}
		}
	}
	slices.SortStableFunc(open, func(a, b openTodo) int {
		return cmp.Or(cmp.Compare(urgency(a.todo.Priority), urgency(b.todo.Priority)), a.row.Compare(b.row))
	})
	return open
}

// isArchived reports whether a document is that of a session, not the active context or the project memory (spec 000).
func isArchived(r *sessions.Row) bool { return strings.HasPrefix(r.ID, "session-") }

// urgency orders priorities; one that is not known comes behind those of spec 000.
func urgency(priority string) int {
	order := []string{"high", "blocked", "medium", "low", nextStep}
	at := slices.Index(order, strings.ToLower(priority))
	switch {
	case at == len(order)-1:
		return at + 1
	case at < 0:
		return len(order) - 1
	}
	return at
}
