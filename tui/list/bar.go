package list

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// item is one entry of the list: a row, a heading, something that could not be listed, or a blank line (neither).
type item struct {
	row     *sessions.Row
	heading string
	count   int       // beside the heading, 0 none
	note    string    // beside it, in the place of a count
	right   string    // at its right edge
	todo    *openTodo // of the document row
	more    string    // what stands for more of them
	missing string
	calm    string // what is said in the place of a group
	hit     *filter.Hit
	rows    int // of the screen
}

// key is what the bar knows an item by; "" it does not stand there.
func (it *item) key() string {
	switch {
	case it.todo != nil:
		return it.row.Path + "\x00" + it.todo.todo.Text
	case it.more != "":
		return moreKey
	case it.row != nil:
		return it.row.Path
	}
	return ""
}

// entries are the items of a list, as its bar knows them.
type entries struct{ *pane }

// Len implements blocks.Items.
func (l entries) Len() int { return len(l.items) }

// Height implements blocks.Items.
func (l entries) Height(i int) int { return l.items[i].rows }

// Stops implements blocks.Items.
func (l entries) Stops(i int) bool { return l.items[i].key() != "" }

// Chosen implements blocks.Items.
func (l entries) Chosen(i int) {
	l.sel, l.touched, l.best, l.onHead = l.items[i].key(), true, false, false
}

// With implements blocks.Grouped: the first row is seen with all that stands above it, the first of a group with its
// heading, and the last with what could not be listed.
func (l entries) With(i int) (first, last int) {
	first, last = i, i
	switch {
	case l.bar.Next(i-1, -1) < 0:
		first = 0
	case l.items[i-1].heading != "":
		first--
	}
	if l.bar.Next(i+1, 1) < 0 {
		last = len(l.items) - 1
	}
	return first, last
}

// build lists the rows again, as they were sorted last. blanks puts a blank line before each group but the first.
func (l *pane) build(now time.Time, width, rows int, blanks bool) {
	l.width = width
	before, was, atTop := max(l.bar.At, 0), l.items, l.bar.Win == blocks.Window{}
	top := -l.bar.Win.Off
	if before < len(was) {
		top, _ = l.bar.Span(before)
	}
	shown := l.shown
	l.items, l.marks.sums, l.column = l.items[:0:0], nil, 0
	if l.kind == sessions.KindSession {
		l.column = render.ProjectColumn(shown)
	}
	if l.kind == sessions.KindDocument {
		l.docs.chain(shown)
	}
	switch {
	case l.isFiltered() && l.answered != "": // until the first answer the list stands as it is
		l.itemsOfHits(now)
		l.itemsOfOpenHits(blanks)
	case l.kind == sessions.KindDocument:
		l.itemsOfDocuments(shown, blanks)
	default:
		l.itemsOfGroups(shown, now, blanks)
	}
	l.selectAgain(was, before)
	l.bar.Rows, l.bar.At = rows, l.find(l.sel)
	l.bar.Win.Show(max(l.bar.At, 0), -top, len(l.items), rows, l.bar.Items.Height)
	if atTop || l.bar.At < 0 { // what is new comes at the top, and is to be seen
		l.bar.Win = blocks.Window{}
	}
	l.bar.Reveal()
}

// filtered takes the answer of the filter in. To a new pattern the bar goes to the best row; when the rows have
// changed it stays where it is if its row still matches.
func (l *pane) filtered(hits []filter.Hit) {
	fresh := l.answered != l.field.Text()
	l.hits, l.answered = hits, l.field.Text()
	if (fresh || l.best) && len(hits) > 0 || !slices.ContainsFunc(hits, func(h filter.Hit) bool { return h.Path == l.sel }) && len(hits) > 0 {
		l.best = true
		l.putOn(hits[0].Path)
		l.bar.Win = blocks.Window{}
	}
}

// putOn puts the bar on what it knows by a key, when that is listed, or as soon as it is.
func (l *pane) putOn(key string) {
	l.sel = key
	l.bar.At = l.find(key)
}

// find is the item that the bar knows by a key, that of a row by its path; -1 when it is not listed.
func (l *pane) find(key string) int {
	if key == "" {
		return -1
	}
	if at := l.bar.At; at >= 0 && at < len(l.items) && l.items[at].key() == key {
		return at
	}
	return slices.IndexFunc(l.items, func(it item) bool { return it.key() == key })
}

// selectAgain puts the bar on a row that is listed: its own, else the next of those that were listed around it. Until
// the bar is moved it stays on the first row.
func (l *pane) selectAgain(was []item, before int) {
	wait := !l.touched && l.field.Text() == ""
	if !wait && l.find(l.sel) >= 0 {
		return
	}
	if wait {
		before = 0
	} else if key := l.survivor(was, before); key != "" {
		l.sel = key
		return
	}
	before = min(before, len(l.items)-1)
	for _, i := range []int{l.bar.Next(before, 1), l.bar.Next(before, -1)} {
		if i >= 0 {
			l.sel = l.items[i].key()
			return
		}
	}
}

// selected is the item under the bar; without one it is nothing.
func (l *pane) selected() item {
	if l.bar.At < 0 || l.bar.At >= len(l.items) {
		return item{}
	}
	return l.items[l.bar.At]
}

// selectedRow is the row under the bar, nil when there is none.
func (l *pane) selectedRow() *sessions.Row { return l.selected().row }

// move moves the bar by so many rows, or as far as it goes.
func (l *pane) move(delta int) {
	if l.bar.At >= 0 { // it stays on its row from now on
		l.bar.Choose(l.bar.At)
	}
	l.bar.Move(delta)
}

// toEnd moves the bar to the first row or, with a step above 0, to the last.
func (l *pane) toEnd(step int) {
	if l.bar.At >= 0 {
		l.bar.ToEnd(step)
	}
}

// isFirst reports whether no row stands above the bar.
func (l *pane) isFirst() bool { return l.bar.Next(max(l.bar.At, 0)-1, -1) < 0 }

// click puts the bar on the item at a row of the view. It reports whether it was there.
func (l *pane) click(row int) bool {
	i := l.bar.Item(row)
	if i < 0 || !l.bar.Items.Stops(i) {
		return false
	}
	was := l.sel
	l.bar.Choose(i)
	return was == l.sel
}

// goTo puts the bar on the row of a path, and reports whether it is listed.
func (l *pane) goTo(path string) bool {
	i := l.find(path)
	if i < 0 {
		return false
	}
	l.bar.Choose(i)
	l.bar.Reveal()
	return true
}

// await has the bar on the row of a path as soon as it is listed, with nothing filtered.
func (l *pane) await(path string) {
	l.field.Set("")
	l.hits, l.answered, l.onHead = nil, "", false
	l.best = false
	l.expect(path)
}

// expect has the bar on the row of a path as soon as it is listed.
func (l *pane) expect(path string) {
	l.touched = true
	l.putOn(path)
}

// position is the number of the selected row among the rows, from 1; 0 the bar is on none.
func (l *pane) position() int {
	if it := l.selected(); it.todo != nil || it.more != "" {
		return 0
	}
	n := 0
	for _, it := range l.items[:min(max(l.bar.At, 0)+1, len(l.items))] {
		if it.row != nil && it.todo == nil {
			n++
		}
	}
	return n
}
