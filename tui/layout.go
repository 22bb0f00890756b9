package tui

// rect is a rectangle of the screen, in cells.
type rect struct{ x, y, w, h int }

// has reports whether a cell is in it.
func (r rect) has(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// layout says where everything stands. A part without room has no height.
type layout struct {
	title, rule, context, body, status, keys rect

	preview rect // beside the list, its left neighbour is the hairline; or in the place of the list
	divider int  // column of the hairline, 0 none
	flipped bool // the preview stands in the place of the list
}

// shape is what the layout depends on besides the size.
type shape struct {
	list    bool // the list, not the reader
	preview bool // wanted beside the list
	flip    bool // wanted in the place of the list, where there is no room beside it
	typing  bool // the context line is a field
	wide    bool // a list of backups: it takes what it may
	outline bool // of a ledger, in the place of the list
	split   int  // column of the divider that the person chose, 0 none
}

const (
	previewFrom  = 100 // columns
	listLeast    = 56
	listMost     = 72
	dividerLeast = 30 // cells of the list and of the preview, however the divider is moved
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
	switch {
	case !s.list || !s.preview && !s.flip:
	case w < previewFrom && s.flip:
		l.preview, l.flipped = rect{0, upper, w, max(bottom-upper, 0)}, true
	case w >= previewFrom && s.preview:
		lw := min(max((w*53+50)/100, listLeast), listMost)
		if s.wide {
			lw = listMost
		}
		if s.outline {
			lw = outlineWidth
		}
		if s.split > 0 {
			lw = min(max(s.split, dividerLeast), w-dividerLeast-1)
		}
		l.context.w, l.body.w = lw, lw
		l.divider = lw
		l.preview = rect{lw + 1, upper, w - lw - 1, max(bottom-upper, 0)}
	}
	return l
}
