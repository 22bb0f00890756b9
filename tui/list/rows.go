package list

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Add takes a batch of the load of a number in. More says that there is more of it.
func (p *Page) Add(b sessions.Batch, load int, more bool) []screen.Effect {
	for _, l := range p.panes {
		l.add(b, load)
	}
	p.scope.partial = b.Part && load == 1 // on a later load all rows are there already
	p.loading = more
	p.couldNot(b.Err)
	p.relist()
	p.built = built{}
	return p.narrow()
}

// Change takes in what has happened since.
func (p *Page) Change(b sessions.Batch, load int) []screen.Effect {
	for _, l := range p.panes {
		l.change(b, load)
	}
	p.couldNot(b.Err)
	p.relist()
	p.built = built{}
	return p.narrow()
}

// Show shows the list of a kind. Each keeps its bar and its filter.
func (p *Page) Show(kind sessions.Kind) []screen.Effect {
	p.Left()
	p.pane, p.built, p.inPreview = p.of(kind), built{}, false
	return p.narrow()
}

// Left says that another tab is shown.
func (p *Page) Left() {
	p.pane.typing = false
	p.run.drop()
	p.preview.Stop()
}

// To lists a project, with the bar on a row of it.
func (p *Page) To(to screen.Show) {
	p.scope.project, p.scope.all = to.Dir, false
	p.of(to.Kind).await(to.Path)
	p.relist()
	p.built = built{}
}

// Reopened implements screen.Reopened. It filters again, because rows may have changed meanwhile.
func (p *Page) Reopened() []screen.Effect {
	p.built = built{}
	return p.narrow()
}

// Beside is the document before one in its chain (1), or after it (-1), as the rows are now; chained reports whether there is a
// chain. The bar goes there.
func (p *Page) Beside(path string, step int) (to *sessions.Row, chained bool) {
	l := p.of(sessions.KindDocument)
	l.docs.chain(l.shown)
	if to, chained = l.docs.beside(path, step); to != nil {
		l.expect(to.Path)
	}
	return to, chained
}
