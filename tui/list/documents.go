package list

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// documents has the chains of the documents and the open todos in the documents.
type documents struct {
	chains []sessions.Chain // newest first, grouped by project
	links  map[string]link  // by path
	all    bool             // all open todos are listed

	of     []*sessions.Row // the rows of chains; a changed row has a new pointer
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

// beside returns the linked document before (step 1) or after (step -1) a document, or nil. chained reports whether the
// document has links.
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

// chained returns how a document is drawn in its chain. sel is the path of the selected row. The rail is heavy up to
// the selected document.
func (d *documents) chained(r *sessions.Row, sel string) render.Chained {
	k, ok := d.links[r.Path]
	if !ok {
		return render.Chained{}
	}
	c := render.Chained{Within: k.Linked()}
	if k.isLast() {
		c.Problem = k.Note
	}
	here, is := d.links[sel]
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
