package tui

import "github.com/continuo-tui/continuo/tui/screen"

const (
	previewFrom  = screen.PreviewFrom
	outlineWidth = 32 // width of the outline of a ledger, in cells
)

// arrange divides the terminal into title, rule, context line, body, status and keys. From 30 rows on, a blank row is
// above the status. With fewer rows, a message covers the last row of a list. Below 20 rows, a message replaces the
// keys. Below 8 rows there is no rule, below 5 rows no title, and below 3 rows only the body.
func arrange(w, h int, s screen.Shape) screen.Layout {
	var l screen.Layout
	top, bottom := 0, h
	take := func(r *screen.Rect) {
		*r = box(0, top, w, 1)
		top++
	}
	if h >= 5 {
		take(&l.Title)
	}
	if h >= 8 {
		take(&l.Rule)
	}
	upper := top
	if h >= 3 || h == 2 && s.Typing {
		take(&l.Context)
	}
	if h >= 30 && s.List {
		top++
	}
	if h >= 3 {
		bottom--
		l.Keys = box(0, bottom, w, 1)
		l.Status = l.Keys
	}
	switch {
	case h >= 30:
		bottom -= 2 // for the status and the blank row above it
		l.Status = box(0, bottom+1, w, 1)
	case h >= 20 && !s.List:
		bottom--
		l.Status = box(0, bottom, w, 1)
	case h >= 20:
		l.Status = box(0, bottom-1, w, 1)
	}
	l.Body = box(0, top, w, max(bottom-top, 0))
	switch {
	case !s.List || !s.Preview && !s.Flip:
	case w < previewFrom && s.Flip:
		l.Preview, l.Flipped = box(0, upper, w, max(bottom-upper, 0)), true
	case w >= previewFrom && s.Preview:
		lw := leftWidth(w, s)
		l.Context.W, l.Body.W = lw, lw
		l.Divider = lw
		l.Preview = box(lw+1, upper, w-lw-1, max(bottom-upper, 0))
	}
	return l
}

// leftWidth returns the width of the list or the outline that is beside a preview.
func leftWidth(w int, s screen.Shape) int {
	switch {
	case s.Split > 0:
		return min(max(s.Split, screen.LeastPane), w-screen.LeastPane-1)
	case s.Outline:
		return outlineWidth
	case s.Wide && w < screen.WideFrom:
		return screen.ListMost
	}
	return screen.ListWidth(w)
}

func box(x, y, w, h int) screen.Rect { return screen.Rect{X: x, Y: y, W: w, H: h} }
