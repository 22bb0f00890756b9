package list

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Add adds a batch of the given load. more means that more batches follow.
func (p *Page) Add(b sessions.Batch, load int, more bool) []screen.Effect {
	for _, l := range p.panes {
		l.add(b, load)
	}
	p.scope.partial, p.scope.found, p.scope.foundBytes = b.Part && load == 1, b.All, b.AllBytes // a later load begins with all rows known
	p.loading = more
	p.couldNot(b.Err)
	p.relist()
	p.built = built{}
	return p.narrow()
}

// Change adds a batch that the watch delivered.
func (p *Page) Change(b sessions.Batch, load int) []screen.Effect {
	for _, l := range p.panes {
		l.change(b, load)
	}
	p.couldNot(b.Err)
	p.relist()
	p.built = built{}
	return p.narrow()
}

// listLost adds lost sessions to the list of sessions. Only backups of a lost session are left. The newest backup gives
// the row.
func (r *lists) listLost() {
	l := r.of(sessions.KindSession)
	last := sessions.LastBackups(r.of(backups).rows())
	at := make(map[string]string, len(l.held)) // session ID → path of its row
	for row := range l.rows() {
		if !row.Deleted {
			at[row.ID] = row.Path
		}
	}
	for id, b := range last {
		if lost := b.Lost(); lost != nil && at[id] == "" {
			at[id] = b.Path
		} else {
			delete(last, id)
		}
	}
	for path, h := range l.held {
		b := last[h.row.ID]
		if h.backup == nil && (b == nil || !h.row.Deleted) || h.backup != nil && h.backup == b {
			continue
		}
		delete(l.held, path)
		if to := at[h.row.ID]; to != "" && path == l.sel {
			l.sel = to
		}
	}
	for _, b := range last {
		if h := l.held[b.Path]; h == nil {
			h = &held{row: *b.Lost(), backup: b}
			h.row.Path, h.row.Project = b.Path, b.Project
			l.held[b.Path] = h
		}
	}
}

// Show shows the list of a kind. Each list has its own bar and filter.
func (p *Page) Show(kind sessions.Kind) []screen.Effect {
	p.Left()
	p.pane, p.built, p.inPreview = p.of(kind), built{}, false
	return p.narrow()
}

// Left is called when the user has switched to another tab.
func (p *Page) Left() {
	p.pane.typing, p.built = false, built{}
	p.run.drop()
	p.preview.Stop()
}

// To lists a project and selects one of the project's rows.
func (p *Page) To(to screen.Show) {
	p.scope.project, p.scope.all = to.Dir, false
	p.of(to.Kind).await(to.Path)
	p.relist()
	p.built = built{}
}

// Reopened implements screen.Reopened. It filters again, because rows may have changed.
func (p *Page) Reopened() []screen.Effect {
	p.built = built{}
	return p.narrow()
}

// Beside selects and returns the linked document before (step 1) or after (step -1) a document, or nil. chained reports
// whether the document has links.
func (p *Page) Beside(path string, step int) (to *sessions.Row, chained bool) {
	l := p.of(sessions.KindDocument)
	l.docs.chain(l.shown)
	if to, chained = l.docs.beside(path, step); to != nil {
		l.expect(to.Path)
	}
	return to, chained
}
