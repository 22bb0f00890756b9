package reader

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// fold opens the selected part further, or folds it if it is fully open. It reports whether the part can be opened.
func (r *pane) fold(rows int) bool {
	if len(r.refs) == 0 {
		return false
	}
	p := r.part(r.bar)
	to := talk.Shut
	switch {
	case p.Fold == talk.Fixed:
		return false
	case p.Fold == talk.Shut:
		to = talk.Open
	case p.Fold == talk.Open && p.More:
		to = talk.Whole
	}
	from, end := r.barRows()
	if p.Fold == talk.Shut {
		r.foldedAt = from
	}
	r.setFold(r.bar.message, p.Block, to)
	switch {
	case to != talk.Shut: // scroll up if the opened text would be below the view
		r.reveal = end > rows*2/3
	case r.foldedAt > from: // scroll the part back to the row where it was opened
		r.goal = &goal{message: r.bar.message, part: r.bar.part, block: noBlock, row: r.foldedAt}
	}
	return true
}

// setFold sets the fold of a block and marks its message for drawing.
func (r *pane) setFold(message, block int, to talk.Fold) {
	folds := make(map[foldKey]talk.Fold, len(r.folds)+1) // a copy, because a spot may hold the old map
	for k, f := range r.folds {
		folds[k] = f
	}
	if k := (foldKey{key(r.refs, message), block}); to == r.atRest() && r.base == talk.Fixed {
		delete(folds, k) // the default
	} else {
		folds[k] = to
	}
	r.folds = folds
	r.win.Pin = 0
	if e := r.cache.messages[message]; e != nil {
		e.stale = true
	}
}

// atRest returns the default fold of a block: open in a document, folded elsewhere.
func (r *pane) atRest() talk.Fold {
	if r.row.Kind == sessions.KindDocument {
		return talk.Open
	}
	return talk.Shut
}

// foldAll opens all parts or, if any fold was changed, resets all. In a document it folds all sections or resets them.
func (r *pane) foldAll() {
	if r.base == talk.Fixed && len(r.folds) == 0 {
		if r.base = talk.Open; r.row.Kind == sessions.KindDocument {
			r.base = talk.Shut
		}
	} else {
		r.base = talk.Fixed
	}
	r.folds, r.win.Pin = nil, 0
	for _, e := range r.cache.messages {
		e.stale = true
	}
}

// unveil scrolls up to show as much as fits of a part that was opened at the bottom of the view.
func (r *pane) unveil(rows int) {
	if !r.reveal {
		return
	}
	if e := r.cache.messages[r.bar.message]; e == nil || e.stale {
		return
	}
	r.reveal = false
	from, to := r.barRows()
	if over := min(to-rows+1, from-1); over > 0 {
		r.scroll(over, rows)
	}
}
