package list

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// documents has the chains of the documents and the open todos in the documents.
type documents struct {
	chains []sessions.Chain // newest first, grouped by project
	links  map[string]link  // by path
	all    bool             // all open todos are listed

	of     []*sessions.Row // the rows from which chains was computed; a changed row has a new pointer
	openOf []*sessions.Row // the rows of the last call of openIn
	opened []openTodo
}

// link is a document and its position in a chain. Position 0 is the newest document.
type link struct {
	*sessions.Chain
	at int
}

// isLast reports whether the document is the oldest of its chain.
func (k *link) isLast() bool { return k.at == len(k.Rows)-1 }

// chain computes the chains of the rows in scope again if the rows have changed.
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

// beside returns the linked document before (step 1) or after (step -1) a document; nil if there is none. chained
// reports whether the document is linked at all.
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

// isLinked reports whether a document is linked to others.
func (d *documents) isLinked(path string) bool {
	k, ok := d.links[path]
	return ok && k.Linked()
}

// unplaced counts the documents that may belong to a chain although they aren't linked.
func (d *documents) unplaced() int {
	n := 0
	for i := range d.chains {
		if c := &d.chains[i]; !c.Linked() && (!c.Placed() || render.Unplaced(c.Rows[0])) {
			n++
		}
	}
	return n
}

// chained returns how a row is drawn in its chain. The rail is heavy from the oldest document up to the selected
// one.
func (l *pane) chained(r *sessions.Row) render.Chained {
	k, ok := l.docs.links[r.Path]
	if !ok || l.kind != sessions.KindDocument {
		return render.Chained{}
	}
	c := render.Chained{Within: k.Linked()}
	if k.isLast() {
		c.Problem = k.Note
	}
	here, is := l.docs.links[l.sel]
	switch {
	case k.isLast():
		c.Rail = railEnd(k.End)
	case is && here.Chain == k.Chain && k.at >= here.at:
		c.Rail = render.RailHere
	default:
		c.Rail = render.RailBeside
	}
	return c
}

// railEnd returns the mark for the end of a rail.
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

// itemsOfDocuments adds the chains, after them the other documents, and at the end the open todos.
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

// heading returns a function that adds a heading. If blanks is set, each heading except the first has a blank line
// above it.
func (l *pane) heading(blanks bool) func(item) {
	return func(h item) {
		if h.rows = 1; blanks && len(l.items) > 0 {
			l.items = append(l.items, item{rows: 1})
		}
		l.items = append(l.items, h)
	}
}

// itemsOfOpenHits adds the open todos of the matching documents if the filter consists only of terms.
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

// nameOf returns the name of a chain, which is made from the newest document of the chain.
func (l *pane) nameOf(r *sessions.Row) string {
	return cmp.Or(transcript.CleanLine(r.Branch), render.Base(r.Project), render.Title(r))
}

func (l *pane) noteOf(c *sessions.Chain) string {
	note := words.Counted(len(c.Rows), "linked session", "linked sessions")
	if c.Fork != nil {
		note = "branches off"
		if k := l.docs.links[c.Fork.Path]; k.Chain != nil {
			name := l.nameOf(k.Rows[0])
			if name == l.nameOf(c.Rows[0]) { // the heading would only repeat the row
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
