package tui

// rect is a rectangle of the screen, in cells.
type rect struct{ x, y, w, h int }

// layout says where everything stands. A part without room has no height.
type layout struct {
	title, rule, context, body, status, keys rect

	preview rect // beside the list; its left neighbour is the hairline
	divider int  // column of the hairline, 0 none
}

// shape is what the layout depends on besides the size.
type shape struct {
	list    bool // the list, not the reader
	preview bool // wanted beside the list
	typing  bool // the context line is a field
}

const (
	previewFrom = 100 // columns
	listLeast   = 56
	listMost    = 72
)

// arrange lays the screen out: title, rule, context line, body, status, keys. Under 20 rows the status takes the
// row of the keys while it has something to say; under 8 the rule goes, under 5 the title, under 3 all but rows.
func arrange(w, h int, s shape) layout {
	var l layout
	top, bottom := 0, h
	take := func(r *rect) {
		*r = rect{0, top, w, 1}
		top++
	}
	if h >= 5 {
		take(&l.title)
	}
	if h >= 8 {
		take(&l.rule)
	}
	upper := top
	if h >= 3 || h == 2 && s.typing {
		take(&l.context)
	}
	if h >= 30 && s.list {
		top++
	}
	if h >= 3 {
		bottom--
		l.keys = rect{0, bottom, w, 1}
		l.status = l.keys
	}
	if h >= 20 {
		bottom--
		l.status = rect{0, bottom, w, 1}
	}
	l.body = rect{0, top, w, max(bottom-top, 0)}
	if s.list && s.preview && w >= previewFrom {
		lw := min(max((w*53+50)/100, listLeast), listMost)
		l.context.w, l.body.w = lw, lw
		l.divider = lw
		l.preview = rect{lw + 1, upper, w - lw - 1, max(bottom-upper, 0)}
	}
	return l
}
