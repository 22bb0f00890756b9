package blocks

// Items are the entries of a List.
type Items interface {
	Len() int
	// Height returns the number of rows of an item. A List calls it only for items near the view.
	Height(item int) int
	// Stops reports whether the bar can stop at an item.
	Stops(item int) bool
	// Chosen is called after the bar has moved to an item.
	Chosen(item int)
}

// Grouped is implemented by Items that keep items visible together, such as a heading and its first item.
type Grouped interface {
	// With returns the first and the last item of an item's group. Reveal shows the whole group if there is room.
	With(item int) (first, last int)
}

// List is a scrolled list of items with a selection bar.
type List struct {
	Win   Window
	Items Items
	Rows  int // height of the view
	At    int // selected item, or -1
	// Text means that users read all items. Move scrolls through items without a stop. Reveal also shows such items
	// above the bar.
	Text bool
}

const (
	far   = 3 // in a Text list, Move scrolls if the next stop is this many rows outside the view
	heads = 2 // in a Text list, Reveal shows at most this many items above the bar
)

// Choose moves the bar to an item.
func (l *List) Choose(item int) {
	l.At = item
	l.Items.Chosen(item)
}

// Fit corrects the view after the items or their heights have changed.
func (l *List) Fit() { l.Win.Fit(l.Items.Len(), l.Rows, l.Items.Height) }

// Visible returns the items in the view.
func (l *List) Visible() []Span { return l.Win.Visible(l.Items.Len(), l.Rows, l.Items.Height) }

// Drawn returns the items in the view, without headings at the lower edge.
func (l *List) Drawn(isHeading func(item int) bool) []Span {
	spans := l.Visible()
	for n := len(spans); n > 0 && isHeading(spans[n-1].Item); n-- {
		spans = spans[:n-1]
	}
	return spans
}

// Next returns the first item at which the bar can stop, among item, item+step, item+2*step and so on, or -1.
func (l *List) Next(item, step int) int {
	for ; item >= 0 && item < l.Items.Len(); item += step {
		if l.Items.Stops(item) {
			return item
		}
	}
	return -1
}

// End returns the last item at which the bar can stop, or -1. If step is negative, it returns the first such item.
func (l *List) End(step int) int {
	if step > 0 {
		return l.Next(l.Items.Len()-1, -1)
	}
	return l.Next(0, 1)
}

// Span returns the first row of an item and the row after its last one, relative to the view. Far from the view, both
// are estimates.
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

// Move moves the bar by delta items. In a long item, and at the ends of the list, it scrolls.
func (l *List) Move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for n := delta * step; n > 0; n-- {
		next := l.reach(step)
		if next < 0 {
			l.Scroll(step * n)
			return
		}
		l.Choose(next)
		l.Reveal()
	}
}

// reach returns the next item to which the bar can move, or -1 if the view has to scroll first.
func (l *List) reach(step int) int {
	if l.At < 0 {
		return -1
	}
	from, to := l.Span(l.At)
	cut := step > 0 && to > l.Rows || step < 0 && from < 0
	if cut && (to-from > l.Rows || l.Text && l.IsSeen()) {
		return -1
	}
	next := l.Next(l.At+step, step)
	if next < 0 || !l.Text {
		return next
	}
	if from, to = l.Span(next); from >= l.Rows+far || to <= -far {
		return -1
	}
	return next
}

// Reveal scrolls just far enough to show the selected item and its group.
func (l *List) Reveal() {
	if l.At < 0 {
		return
	}
	above, below := l.with(l.At)
	if from, _ := l.Span(l.At); from < above {
		l.show(l.At, -above)
	}
	if from, _ := l.Span(l.At); from+below > l.Rows {
		l.show(l.At, below-l.Rows)
	}
}

// with returns the number of rows above and below the start of an item that Reveal must show.
func (l *List) with(item int) (above, below int) {
	first, last := item, item
	if g, ok := l.Items.(Grouped); ok {
		first, last = g.With(item)
	}
	for l.Text && first > 0 && item-first < heads && !l.Items.Stops(first-1) {
		first--
	}
	below = min(l.Items.Height(item), l.Rows)
	for i := item - 1; i >= first && above+l.Items.Height(i)+below <= l.Rows; i-- {
		above += l.Items.Height(i)
	}
	for i := item + 1; i <= last && below+l.Items.Height(i) <= l.Rows; i++ {
		below += l.Items.Height(i)
	}
	return above, below
}

func (l *List) show(item, off int) { l.Win.Show(item, off, l.Items.Len(), l.Rows, l.Items.Height) }

// Center scrolls the bar to the middle of the view. All items must have one row.
func (l *List) Center() { l.show(l.At-min(l.At, l.Rows/2), 0) }

// Scroll moves the view by delta rows. The bar moves to the nearest fully visible item.
func (l *List) Scroll(delta int) {
	l.Win.Scroll(delta, l.Items.Len(), l.Rows, l.Items.Height)
	if l.At < 0 {
		return
	}
	if from, to := l.Span(l.At); from >= 0 && to <= l.Rows {
		return
	}
	best, whole := -1, false
	for _, s := range l.Visible() {
		all := s.From == 0 && s.To == l.Items.Height(s.Item)
		if l.Items.Stops(s.Item) && (best < 0 || delta < 0 && all == whole || all && !whole) {
			best, whole = s.Item, all
		}
	}
	if best >= 0 && (whole || !l.IsSeen()) {
		l.Choose(best)
	}
}

// IsSeen reports whether the bar is in the view.
func (l *List) IsSeen() bool { return l.At >= 0 && l.isSeen(l.At) }

func (l *List) isSeen(item int) bool {
	from, to := l.Span(item)
	return to > 0 && from < l.Rows
}

// ToEnd scrolls to the end of the list, or to the start if step isn't positive. The bar moves to the item there. In a
// Text list, this item must be in the view.
func (l *List) ToEnd(step int) {
	at := l.End(step)
	if l.show(0, 0); step > 0 {
		l.show(l.Items.Len()-1, 1<<20)
	}
	if at < 0 || l.Text && !l.isSeen(at) {
		return
	}
	l.Choose(at)
	if !l.Text {
		l.Reveal()
	}
}

// Item returns the item at a row of the view, or -1.
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

// Choices are Items of one row. The bar can stop at each item.
type Choices int

// Len implements Items.
func (n Choices) Len() int { return int(n) }

// Height implements Items.
func (Choices) Height(int) int { return 1 }

// Stops implements Items.
func (Choices) Stops(int) bool { return true }

// Chosen implements Items.
func (Choices) Chosen(int) {}
