package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// fold opens the selected part further. If the part is fully open, fold folds it. It returns false if the part
// can't be opened.
func (r *pane) fold(rows int) bool {
	if len(r.refs) == 0 {
		return false
	}
	if e := r.cache.messages[r.bar.message]; e != nil { // a list that is opened has more parts below the bar
		r.bar.part = min(r.bar.part, len(e.parts)-1)
	}
	p := r.part(r.bar)
	if e := r.cache.messages[r.bar.message]; e != nil { // the last part may change to another part
		r.bar.part = min(r.bar.part, len(e.parts)-1)
	}
	to := talk.Shut
	switch {
	case p.Fold == talk.Fixed:
		return false
	case p.Fold == talk.Shut:
		to = talk.Open
	case p.Fold == talk.Open && p.More:
		to = talk.Whole
	}
	from, _ := r.barRows()
	if p.Fold == talk.Shut {
		r.foldedAt = from
	}
	r.setFold(r.bar.message, p.Block, to)
	switch {
	case (p.Block == talk.WorkBlock || talk.IsRun(p.Block)) && to == talk.Open:
		r.makeRoom(rows)
	case to != talk.Shut:
		r.reveal = true
	case r.foldedAt > from: // move the part back to the row on which it was opened
		r.goal = &goal{message: r.bar.message, part: r.bar.part, block: noBlock, row: r.foldedAt}
	}
	return true
}

// makeRoom scrolls up to make room for the lines below the selected line.
func (r *pane) makeRoom(rows int) {
	from, _ := r.barRows()
	r.goal = &goal{message: r.bar.message, part: r.bar.part, block: noBlock, row: min(from, rows/3)}
}

// setFold sets the fold of a block. It also marks the message of the block, so that the message is drawn again.
func (r *pane) setFold(message, block int, to talk.Fold) {
	k := foldKey{key(r.refs, message), block}
	r.folds = withFold(r.folds, k, to)
	if to == r.atRest() && r.base == talk.Fixed && block != talk.WorkBlock {
		delete(r.folds, k) // the default fold isn't stored
	}
	r.win.Pin = 0
	if block == talk.WorkBlock || talk.IsRun(block) {
		r.refolded()
	}
	if e := r.cache.messages[message]; e != nil {
		e.stale = true
	}
}

// withFold returns a copy of folds that has one more fold. A Spot may still use the old map, so withFold doesn't
// change that map.
func withFold(folds map[foldKey]talk.Fold, k foldKey, to talk.Fold) map[foldKey]talk.Fold {
	list := make(map[foldKey]talk.Fold, len(folds)+1)
	for k, f := range folds {
		list[k] = f
	}
	list[k] = to
	return list
}

// atRest returns the default fold of a block: open in a document, folded in a conversation.
func (r *pane) atRest() talk.Fold {
	if r.row.Kind == sessions.KindDocument {
		return talk.Open
	}
	return talk.Shut
}

// foldAll opens all turns at the first press, all parts at the second, and folds everything at the third. In a
// document, it folds all sections, or resets them.
func (r *pane) foldAll() {
	switch {
	case r.row.Kind == sessions.KindDocument && r.base == talk.Fixed && len(r.folds) == 0:
		r.base = talk.Shut
	case r.row.Kind == sessions.KindDocument, r.base == talk.Open:
		r.base = talk.Fixed
	case r.base == talk.Fixed && slices.ContainsFunc(r.works, func(w work) bool { return !w.open }):
		r.base = talk.Shut
	default:
		r.base = talk.Open
	}
	r.folds, r.win.Pin = nil, 0
	r.refolded()
	for _, e := range r.cache.messages {
		e.stale = true
	}
}

// unveil scrolls up to show as much as fits of a part that was opened in the lower third of the view. Then it aligns the
// top of the view.
func (r *pane) unveil(rows int) {
	if !r.reveal {
		return
	}
	if e := r.cache.messages[r.bar.message]; e == nil || e.stale {
		return
	}
	r.reveal = false
	from, to := r.barRows()
	if over := min(to-rows+1, from-1); over > 0 && from >= rows*2/3 {
		r.scroll(over, rows)
	}
	r.alignTop(rows)
}

// alignTop scrolls down by some rows so that the view starts with a part, and not with the last rows of one. The bar
// stays in the view.
func (r *pane) alignTop(rows int) {
	const mostCut = 4 // rows of a part that may be scrolled out of the view
	from, _ := r.barRows()
	if n := r.untilPart(min(from, mostCut)); n > 0 {
		r.scroll(n, rows)
	}
}

// untilPart returns the row of the view at which the first part starts; 0 if that row is larger than most.
func (r *pane) untilPart(most int) int {
	for i, y := r.win.Top, -r.win.Off; i < len(r.refs) && y <= most; i++ {
		if e := r.cache.messages[i]; e != nil && r.height(i) > 0 {
			for _, p := range e.parts {
				if at := y + p.From; at >= 0 && at <= most {
					return at
				}
			}
		}
		y += r.height(i)
	}
	return 0
}
