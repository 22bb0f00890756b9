package blocks

// Items are what a List shows.
type Items interface {
	Len() int
	// Height is how many rows an item takes. It is asked of those near the view only.
	Height(item int) int
	// Stops reports whether the bar can stand on an item.
	Stops(item int) bool
	// Chosen is told when the bar was put on an item.
	Chosen(item int)
}

// List is items with a bar on one of them.
type List struct {
	Win   Window
	Items Items
	Rows  int // of the view
	At    int // item under the bar, -1 none
}

// Choose puts the bar on an item.
func (l *List) Choose(item int) {
	l.At = item
	l.Items.Chosen(item)
}

// Fit makes the view valid after a change of the items or their heights.
func (l *List) Fit() { l.Win.Fit(l.Items.Len(), l.Rows, l.Items.Height) }

// Visible lists what is seen.
func (l *List) Visible() []Span { return l.Win.Visible(l.Items.Len(), l.Rows, l.Items.Height) }

// Next is the first item from one on, in steps, that the bar can stand on, -1 none.
func (l *List) Next(item, step int) int {
	for ; item >= 0 && item < l.Items.Len(); item += step {
		if l.Items.Stops(item) {
			return item
		}
	}
	return -1
}

// Span is where an item stands in the view: its first row and the one behind its last. It is only asked for what is near.
func (l *List) Span(item int) (from, to int) {
	from = -l.Win.Off
	for k := l.Win.Top; k < item && from < 2*l.Rows; k++ {
		from += l.Items.Height(k)
	}
	for k := l.Win.Top - 1; k >= item && from > -2*l.Rows; k-- {
		from -= l.Items.Height(k)
	}
	return from, from + l.Items.Height(item)
}

// Move moves the bar by so many items; within one that is longer than the view, and behind the last, the view.
func (l *List) Move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for n := delta * step; n > 0 && l.At >= 0; n-- {
		from, to := l.Span(l.At)
		next := l.Next(l.At+step, step)
		long := to-from > l.Rows
		if next < 0 || long && (step > 0 && to > l.Rows || step < 0 && from < 0) {
			l.Scroll(step * n)
			return
		}
		l.Choose(next)
		l.Reveal()
	}
}

// Reveal scrolls as little as possible to show the bar.
func (l *List) Reveal() {
	if l.At < 0 {
		return
	}
	from, to := l.Span(l.At)
	if to-from >= l.Rows {
		to = from + l.Rows
	}
	switch {
	case from < 0:
		l.show(l.At, 0)
	case to > l.Rows:
		l.show(l.At, to-from-l.Rows)
	}
}

func (l *List) show(item, off int) { l.Win.Show(item, off, l.Items.Len(), l.Rows, l.Items.Height) }

// Scroll moves the view; the bar goes with it only as far as it has to.
func (l *List) Scroll(delta int) {
	l.Win.Scroll(delta, l.Items.Len(), l.Rows, l.Items.Height)
	if l.At < 0 || l.IsSeen() {
		return
	}
	best := -1
	for _, s := range l.Visible() {
		if l.Items.Stops(s.Item) && (best < 0 || delta < 0) {
			best = s.Item
		}
	}
	if best >= 0 {
		l.Choose(best)
	}
}

// IsSeen reports whether the bar is in the view.
func (l *List) IsSeen() bool {
	if l.At < 0 {
		return false
	}
	from, to := l.Span(l.At)
	return to > 0 && from < l.Rows
}

// ToEnd goes to the first item or, with a step above 0, to the last.
func (l *List) ToEnd(step int) {
	n := l.Items.Len()
	switch {
	case n == 0:
		return
	case step > 0:
		l.Choose(l.Next(n-1, -1))
		l.show(n-1, 1<<20)
	default:
		l.Choose(l.Next(0, 1))
		l.show(0, 0)
	}
	l.Reveal()
}

// Item is the one at a row of the view, -1 none.
func (l *List) Item(row int) int {
	if row < 0 || row >= l.Rows {
		return -1
	}
	for _, s := range l.Visible() {
		if n := s.To - s.From; row < n {
			return s.Item
		}
		row -= s.To - s.From
	}
	return -1
}
