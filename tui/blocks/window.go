// Package blocks is a list of items, of which each is some rows high, with a bar on one of them: for each pane that scrolls.
package blocks

// Window is the one scrolling primitive: it shows some rows of n items, of which each is some rows high. It is
// anchored at its first visible item, so no total height is ever needed; heights may be estimates, and only those
// of items near the view are asked for.
type Window struct {
	Top int // first visible item
	Off int // rows of it that are above the view
	Pin int // item whose end stays at the lower edge while heights change, plus one; 0 none
}

// Span is the visible part of one item: its rows [from, to).
type Span struct{ Item, From, To int }

// Heights gives the rows of an item; less than 0 counts as 0.
type Heights func(item int) int

// Scroll moves by delta rows and stops at both ends.
func (w *Window) Scroll(delta, n, rows int, height Heights) {
	w.Pin = 0
	w.Off += delta
	w.Fit(n, rows, height)
}

// Show puts an item at the upper edge, off rows of it above.
func (w *Window) Show(item, off, n, rows int, height Heights) {
	w.Top, w.Off, w.Pin = item, off, 0
	w.Fit(n, rows, height)
}

// EndAt puts the end of an item at the lower edge and keeps it there until something is scrolled.
func (w *Window) EndAt(item, n, rows int, height Heights) {
	w.Pin = item + 1
	w.Fit(n, rows, height)
}

// Fit makes the window valid after a change of the items, their heights or the rows: it starts within the items
// and leaves no row empty that could show something.
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

// alignEnd puts the end of an item at the lower edge, or the first item at the upper one when that is too little.
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

// Resized keeps what is visible where it is when an item changes its height from old to now.
func (w *Window) Resized(item, old, now int) {
	if item == w.Top && w.Off > 0 {
		w.Off = max(now-(old-w.Off), 0)
	}
}

// Visible lists what the window shows, without gaps, at most rows rows.
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

// OneRow is for items of one row each.
func OneRow(int) int { return 1 }
