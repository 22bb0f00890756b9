package list

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/screen"
)

// run is the state of the filter. A newer search waits until the running search has stopped.
type run struct {
	gen     int
	running bool
	again   bool // search again when the running search has stopped
	cancel  context.CancelFunc
}

// drop makes the page ignore the answer of a running search.
func (r *run) drop() {
	r.gen++
	r.again = false
}

// filteredMsg has the matching rows, best match first.
type filteredMsg struct {
	gen  int
	hits []filter.Hit
}

// narrow starts the filter if there is a pattern.
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
	return []screen.Effect{screen.Cmd(func() tea.Msg { // a cancelled search returns no hits
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

// patternChanged filters again after the pattern has changed.
func (p *Page) patternChanged() []screen.Effect {
	if p.pane.touched = true; p.pane.isFiltered() {
		return p.narrow()
	}
	p.run.drop() // ignore the answer of a running search
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
	case preview.DueMsg:
		return p.previewDue(msg)
	case preview.ReadMsg:
		return p.previewed(msg)
	case preview.CountedMsg:
		p.preview.Counted(msg)
	case screen.Changed:
		if msg.Done {
			for i := range msg.Change.Rows {
				for _, l := range p.panes {
					l.marks.drop(msg.Change.Rows[i].Path)
				}
			}
		}
	case screen.Back: // the mouse button may have been released elsewhere
		p.dragging = false
	}
	return nil
}

// searchable returns the rows that the filter searches.
func (l *pane) searchable(now time.Time) []*filter.Candidate {
	if l.among == nil {
		l.among = l.candidates(l.shown, now)
	}
	return l.among
}

// candidates prepares rows for the filter.
func (l *pane) candidates(shown []*sessions.Row, now time.Time) []*filter.Candidate {
	seen := filter.Look{Kind: l.kind, Day: now.Format(time.DateOnly), Home: l.scope.home, Wide: l.scope.wide()}
	among := make([]*filter.Candidate, 0, len(shown))
	for _, r := range shown {
		seen.Problem = l.docs.chained(r, l.sel).Problem
		h := l.held[r.Path]
		if h == nil {
			h = &held{}
		}
		h.candidate = h.candidate.Renewed(r, seen, now)
		among = append(among, h.candidate)
	}
	return among
}
