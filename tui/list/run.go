package list

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/screen"
)

// run is the run of the filter: one at a time. A newer question ends the one that runs and waits for it.
type run struct {
	gen     int
	running bool
	again   bool // asked again since it started
	cancel  context.CancelFunc
}

// drop makes an answer on its way a late one.
func (r *run) drop() {
	r.gen++
	r.again = false
}

// filteredMsg has the rows that match, best first.
type filteredMsg struct {
	gen  int
	hits []filter.Hit
}

// narrow asks for the rows that match, unless there is nothing to match.
func (p *Page) narrow() []screen.Effect {
	if !p.pane.isFiltered() {
		return nil
	}
	r := &p.run
	r.gen++
	if r.running {
		r.cancel()
		r.again = true
		return nil
	}
	var ctx context.Context
	ctx, r.cancel = context.WithCancel(p.opts.Context)
	r.running = true
	gen, pattern, among := r.gen, p.pane.field.Text(), p.pane.searchable(p.frame.Now)
	return []screen.Effect{screen.Cmd(func() tea.Msg { // a run that ctx ends has no hits, and nobody wants them
		return filteredMsg{gen: gen, hits: filter.Search(ctx, pattern, among)}
	})}
}

func (p *Page) filtered(msg filteredMsg) []screen.Effect {
	r := &p.run
	r.running = false
	if r.cancel != nil {
		r.cancel()
	}
	if r.again {
		r.again = false
		return p.narrow()
	}
	if msg.gen == r.gen {
		p.pane.filtered(msg.hits)
		p.built = built{}
	}
	return nil
}

// patternChanged filters by what is typed now.
func (p *Page) patternChanged() []screen.Effect {
	if p.pane.touched = true; p.pane.isFiltered() {
		return p.narrow()
	}
	p.run.drop() // an answer on its way is not wanted any more
	p.pane.unfilter()
	p.built = built{}
	return nil
}

// Typed implements screen.Typed.
func (p *Page) Typed(msg tea.Msg) []screen.Effect {
	if p.pane.typing && p.pane.field.Type(msg) {
		return p.patternChanged()
	}
	return nil
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case filteredMsg:
		return p.filtered(msg)
	case previewDueMsg:
		return p.previewDue(msg)
	case previewedMsg:
		p.preview.Arrived(msg.gen, msg.Lines, msg.Shown.Shown, msg.Total, msg.Err)
	case screen.Changed:
		if msg.Done {
			for i := range msg.Change.Rows {
				p.of(backups).marks.drop(msg.Change.Rows[i].Path)
			}
		}
	case screen.Back: // the pointer may be anywhere
		p.dragging = false
	}
	return nil
}
