package reader

import (
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader/outline"
)

// End returns the end of the conversation. ok is false if the view isn't at the end.
func (p *Page) End() (end opened.End, ok bool) {
	r := &p.pane
	if r.doc == nil || len(r.out.Refs) > 0 && r.view.win.Pin-1 != r.out.Last {
		return end, false
	}
	end = opened.End{Version: r.version, Records: r.written}
	if e := r.view.cache.messages[r.cur.end().message]; e != nil {
		end.After = e.end
	}
	return end, true
}

// extended replaces the outline with a longer one. Unchanged messages keep their heights and lines. It reports whether
// all new messages are at the end.
func (r *pane) extended(grown *opened.Grown, rows int) bool {
	refs := grown.Refs
	g := outline.NewGrowth(r.out.Refs, refs)
	pinned := r.view.win.Pin - 1
	follows := r.view.win.Pin > 0 && (pinned == r.out.Last || len(r.out.Refs) == 0)
	heights, kept := r.view.heights, r.view.cache.messages
	if !follows { // otherwise a turn is folded when the next one begins
		r.folds.KeepOpen()
	}
	r.out.Shown = 0 // threads may have other numbers in the new outline
	r.out.Set(refs, grown.Threads)
	r.folds.Update()
	r.version, r.written = grown.Version, grown.Last
	r.view.heights, r.view.cache = make([]int32, len(refs)), cache{}
	for i := range heights {
		if to := g.Moved(i); to >= 0 {
			r.view.heights[to] = heights[i]
			r.view.carry(&g, kept[i], i)
		}
	}
	r.view.win.Top, r.cur.bar.message, r.marking.from = g.Near(r.view.win.Top), g.Near(r.cur.bar.message), g.Near(r.marking.from)
	r.cur.refolded()
	if r.cur.goal != nil {
		if r.cur.goal.message = g.Moved(r.cur.goal.message); r.cur.goal.message < 0 {
			r.cur.goal = nil
		}
	}
	switch {
	case follows:
		r.cur.goal = nil
		r.view.endAt(r.out.Last, rows)
		r.cur.bar = r.cur.end()
	case pinned >= 0:
		r.view.endAt(g.Near(pinned), rows)
	default:
		r.view.fit(rows)
	}
	return g.AtEnd()
}
