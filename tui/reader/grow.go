package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
)

// End returns the end of the conversation. If the view doesn't follow it, ok is false.
func (p *Page) End() (end opened.End, ok bool) {
	r := &p.pane
	if r.doc == nil || len(r.refs) > 0 && r.win.Pin-1 != r.last {
		return end, false
	}
	end = opened.End{Version: r.version, Records: r.written}
	if e := r.cache.messages[r.end().message]; e != nil {
		end.After = e.end
	}
	return end, true
}

// growth maps the messages of an outline to the messages of a newer outline.
type growth struct {
	old, refs []transcript.MessageRef
	now       map[int32]int // new indexes, by the key of a message
	noticed   bool          // a new message is a notice, perhaps about a background task
}

func newGrowth(old, refs []transcript.MessageRef) growth {
	g := growth{old: old, refs: refs, now: make(map[int32]int, len(refs))}
	known := make(map[int32]bool, len(old))
	for i := range old {
		known[key(old, i)] = true
	}
	for i := range refs {
		k := key(refs, i)
		g.now[k] = i
		g.noticed = g.noticed || refs[i].Kind == transcript.Notice && !known[k]
	}
	return g
}

// moved returns the new index of a message; -1 if the message is gone.
func (g *growth) moved(i int) int {
	if i >= 0 && i < len(g.old) {
		if to, ok := g.now[key(g.old, i)]; ok {
			return to
		}
	}
	return -1
}

// near returns the new index of a message. A message may be gone, for example a section that was rewritten. In
// this case, near returns the old index or, if this is too large, the last index.
func (g *growth) near(i int) int {
	if to := g.moved(i); to >= 0 {
		return to
	}
	return max(min(i, len(g.refs)-1), 0)
}

// atEnd reports whether all new messages are at the end.
func (g *growth) atEnd() bool {
	for i := range g.old {
		if g.moved(i) != i {
			return false
		}
	}
	return true
}

// extended replaces the outline with a longer one. Messages that got no new records keep their heights and lines.
// extended reports whether all new messages are at the end.
func (r *pane) extended(grown *opened.Grown, rows int) bool {
	refs := grown.Refs
	g := newGrowth(r.refs, refs)
	pinned := r.win.Pin - 1
	follows := r.win.Pin > 0 && (pinned == r.last || len(g.old) == 0)
	heights, kept := r.heights, r.cache.messages
	r.keepOpen(follows)
	r.shown = 0 // threads get other numbers
	r.outlined(refs, grown.Threads)
	r.version, r.written = grown.Version, grown.Last
	r.heights, r.cache = make([]int32, len(refs)), cache{}
	for i := range g.old {
		if to := g.moved(i); to >= 0 {
			r.heights[to] = heights[i]
			r.carry(&g, kept[i], i, to)
		}
	}
	r.win.Top, r.bar.message, r.marking.from = g.near(r.win.Top), g.near(r.bar.message), g.near(r.marking.from)
	r.refolded()
	if r.goal != nil {
		if r.goal.message = g.moved(r.goal.message); r.goal.message < 0 {
			r.goal = nil
		}
	}
	switch {
	case follows:
		r.goal = nil
		r.win.EndAt(r.last, len(refs), rows, r.height)
		r.bar = r.end()
	case pinned >= 0:
		r.win.EndAt(g.near(pinned), len(refs), rows, r.height)
	default:
		r.win.Fit(len(refs), rows, r.height)
	}
	return g.atEnd()
}

// carry keeps the drawing of a message if the drawing is still valid. The message has moved from index i to index
// to.
func (r *pane) carry(g *growth, e *cached, i, to int) {
	a, b := &g.old[i], &g.refs[to]
	if e == nil || g.noticed && isRunning(e.msg) || !slices.Equal(a.Records, b.Records) || a.Gap != b.Gap || a.Cleared != b.Cleared || a.Unread != b.Unread || a.Kind != b.Kind {
		return
	}
	// If the previous message has changed, draw again, because the blank line between the messages may change.
	same := i > 0 && to > 0 && key(g.old, i-1) == key(g.refs, to-1) || i == 0 && to == 0
	e.stale = e.stale || e.heading != nil || r.headings[to] != nil || !same
	e.index, e.heading = to, r.headings[to]
	r.cache.keep(e)
}
