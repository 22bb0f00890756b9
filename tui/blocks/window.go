// Package blocks implements a scrolled list with a selection bar. The items may have different heights.
package blocks

// Window is the scroll position in a list, as an offset from the first visible item. It needs heights only for items
// near the view. Heights may be estimates.
type Window struct {
	Top int // first visible item
	Off int // number of rows of Top above the view
	Pin int // index plus one of the item whose end stays at the lower edge, or 0
}

// Span is the visible part of an item: its rows [from, to).
type Span struct{ Item, From, To int }

// Heights returns the number of rows of an item. A negative number counts as 0.
type Heights func(item int) int

// Scroll scrolls by delta rows, but not beyond the ends of the list.
func (w *Window) Scroll(delta, n, rows int, height Heights) {
	w.Pin = 0
	w.Off += delta
	w.Fit(n, rows, height)
}

// Show puts an item at the upper edge of the view, with off of its rows above the edge.
func (w *Window) Show(item, off, n, rows int, height Heights) {
	w.Top, w.Off, w.Pin = item, off, 0
	w.Fit(n, rows, height)
}

// EndAt puts the end of an item at the lower edge and keeps it there until the next scroll.
func (w *Window) EndAt(item, n, rows int, height Heights) {
	w.Pin = item + 1
	w.Fit(n, rows, height)
}

// Fit corrects the position after a change of items, heights or rows. No row of the view stays empty if there are
// enough items.
func (w *Window) Fit(n, rows int, height Heights) {
	if n <= 0 {
		*w = Window{Pin: w.Pin}
		return
	}
	rows = max(rows, 1)
	if w.Pin > 0 {
		w.alignEnd(min(w.Pin, n)-1, rows, height)
		return
	}
	w.Top = min(max(w.Top, 0), n-1)
	for w.Off < 0 && w.Top > 0 {
		w.Top--
		w.Off += max(height(w.Top), 0)
	}
	w.Off = max(w.Off, 0)
	for w.Top < n-1 && w.Off >= max(height(w.Top), 0) {
		w.Off -= max(height(w.Top), 0)
		w.Top++
	}
	below := -w.Off
	for i := w.Top; i < n && below < rows; i++ {
		below += max(height(i), 0)
	}
	if below < rows {
		w.alignEnd(n-1, rows, height)
	}
}

// alignEnd puts the end of an item at the lower edge. If the view isn't filled, the first item is at the upper edge.
func (w *Window) alignEnd(item, rows int, height Heights) {
	for w.Top = item; ; w.Top-- {
		h := max(height(w.Top), 0)
		if h >= rows {
			w.Off = h - rows
			return
		}
		if w.Top == 0 {
			w.Off = 0
			return
		}
		rows -= h
	}
}

// Resized must be called when the height of an item changes. The visible rows stay at their positions.
func (w *Window) Resized(item, old, now int) {
	if item == w.Top && w.Off > 0 {
		w.Off = max(now-(old-w.Off), 0)
	}
}

// Visible returns the visible parts of the items, with at most rows rows in total.
func (w *Window) Visible(n, rows int, height Heights) []Span {
	var spans []Span
	from := w.Off
	for i := w.Top; i < n && rows > 0; i++ {
		h := max(height(i), 0)
		to := min(h, from+rows)
		if to > from {
			spans = append(spans, Span{i, from, to})
			rows -= to - from
		}
		from = max(from-h, 0)
	}
	return spans
}

// OneRow is a Heights for items of one row.
func OneRow(int) int { return 1 }
