package tui

// window is the one scrolling primitive: it shows some rows of n items, of which each is some rows high. It is
// anchored at its first visible item, so no total height is ever needed; heights may be estimates, and only those
// of items near the view are asked for.
type window struct {
	top int // first visible item
	off int // rows of it that are above the view
	pin int // item whose end stays at the lower edge while heights change, plus one; 0 none
}

// span is the visible part of one item: its rows [from, to).
type span struct{ item, from, to int }

// heights gives the rows of an item; less than 0 counts as 0.
type heights func(item int) int

// scroll moves by delta rows and stops at both ends.
func (w *window) scroll(delta, n, rows int, height heights) {
	w.pin = 0
	w.off += delta
	w.fit(n, rows, height)
}

// show puts an item at the upper edge, off rows of it above.
func (w *window) show(item, off, n, rows int, height heights) {
	w.top, w.off, w.pin = item, off, 0
	w.fit(n, rows, height)
}

// endAt puts the end of an item at the lower edge and keeps it there until something is scrolled.
func (w *window) endAt(item, n, rows int, height heights) {
	w.pin = item + 1
	w.fit(n, rows, height)
}

// fit makes the window valid after a change of the items, their heights or the rows: it starts within the items
// and leaves no row empty that could show something.
func (w *window) fit(n, rows int, height heights) {
	if n <= 0 {
		*w = window{pin: w.pin}
		return
	}
	rows = max(rows, 1)
	if w.pin > 0 {
		w.alignEnd(min(w.pin, n)-1, rows, height)
		return
	}
	w.top = min(max(w.top, 0), n-1)
	for w.off < 0 && w.top > 0 {
		w.top--
		w.off += max(height(w.top), 0)
	}
	w.off = max(w.off, 0)
	for w.top < n-1 && w.off >= max(height(w.top), 0) {
		w.off -= max(height(w.top), 0)
		w.top++
	}
	below := -w.off
	for i := w.top; i < n && below < rows; i++ {
		below += max(height(i), 0)
	}
	if below < rows {
		w.alignEnd(n-1, rows, height)
	}
}

// alignEnd puts the end of an item at the lower edge, or the first item at the upper one when that is too little.
func (w *window) alignEnd(item, rows int, height heights) {
	for w.top = item; ; w.top-- {
		h := max(height(w.top), 0)
		if h >= rows {
			w.off = h - rows
			return
		}
		if w.top == 0 {
			w.off = 0
			return
		}
		rows -= h
	}
}

// resized keeps what is visible where it is when an item changes its height from old to now.
func (w *window) resized(item, old, now int) {
	if item == w.top && w.off > 0 {
		w.off = max(now-(old-w.off), 0)
	}
}

// visible lists what the window shows, without gaps, at most rows rows.
func (w *window) visible(n, rows int, height heights) []span {
	var spans []span
	from := w.off
	for i := w.top; i < n && rows > 0; i++ {
		h := max(height(i), 0)
		to := min(h, from+rows)
		if to > from {
			spans = append(spans, span{i, from, to})
			rows -= to - from
		}
		from = max(from-h, 0)
	}
	return spans
}
