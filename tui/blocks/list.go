package blocks

// Items are the entries of a List.
type Items interface {
	Len() int
	// Height returns the rows of an item. A List calls it only for items near the view.
	Height(item int) int
	// Stops reports whether the bar can stop at an item.
	Stops(item int) bool
	// Chosen is called after the bar has moved to an item.
	Chosen(item int)
}

// Grouped is Items in which some items should be visible together. An example is a heading and the first item
// below it.
type Grouped interface {
	// With returns the first and the last item of a group that contains item. If there is room, Reveal shows this
	// group.
	With(item int) (first, last int)
}

// List is a scrolled list of items with a selection bar.
type List struct {
	Win   Window
	Items Items
	Rows  int // height of the view
	At    int // selected item; -1 if there is none
	// Text means that users also read the items at which the bar can't stop. Move then scrolls through these items, and
	// Reveal shows those above the bar.
	Text bool
}

const (
	far   = 3 // if the next item is this many rows outside the view, Move scrolls a Text list instead
	heads = 2 // how many items without a stop Reveal shows above the bar of a Text list, at most
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

// Drawn returns the items in the view, without the headings and blank lines at its lower edge: the rows of these
// headings are below the view.
func (l *List) Drawn(isHeading func(item int) bool) []Span {
	spans := l.Visible()
	for n := len(spans); n > 0 && isHeading(spans[n-1].Item); n-- {
		spans = spans[:n-1]
	}
	return spans
}

// Next returns the first item at which the bar can stop. It starts at item, and goes in steps of step. It returns
// -1 if there is no such item.
func (l *List) Next(item, step int) int {
	for ; item >= 0 && item < l.Items.Len(); item += step {
		if l.Items.Stops(item) {
			return item
		}
	}
	return -1
}

// End returns the end of the list in a direction: the last item at which the bar can stop if step is positive, or else the
// first one. It returns -1 if there is no such item.
func (l *List) End(step int) int {
	if step > 0 {
		return l.Next(l.Items.Len()-1, -1)
	}
	return l.Next(0, 1)
}

// Span returns the first row of an item, and the row after the last one. Both are relative to the view. They are
// exact only near the view.
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

// Move moves the bar by delta items. Inside an item that is longer than the view, and at the ends of the list, it
// scrolls instead.
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

// reach returns the next item to which the bar can move. It returns -1 if the view has to scroll first.
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

// Reveal scrolls only as far as necessary to show the item under the bar, and the group of this item.
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

// with returns how many rows above and below the start of an item Reveal must show.
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

// Center scrolls until the bar is in the middle of the view. Each item must be one row high.
func (l *List) Center() { l.show(l.At-min(l.At, l.Rows/2), 0) }

// Scroll moves the view by delta rows. If the selected item is then not fully visible, the bar moves to the
// nearest item that is.
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

// ToEnd goes to the end of the list if step is positive, and otherwise to the start. It selects the last or first
// item at which the bar can stop. In a Text list, it doesn't select an item that is outside the view.
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

// Item returns the item at a row of the view; -1 if there is none.
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

// Choices are Items that have one row each. The bar can stop at all of them.
type Choices int

// Len implements Items.
func (n Choices) Len() int { return int(n) }

// Height implements Items.
func (Choices) Height(int) int { return 1 }

// Stops implements Items.
func (Choices) Stops(int) bool { return true }

// Chosen implements Items.
func (Choices) Chosen(int) {}
