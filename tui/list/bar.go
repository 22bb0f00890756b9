package list

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// item is an entry of the list: a row, a heading, an error, or a blank line.
type item struct {
	row     *sessions.Row
	heading string
	dates   string    // the days of the group, beside the heading
	count   int       // beside the heading; 0 shows no count
	note    string    // beside the heading, in place of a count
	badge   string    // the badge of all rows of the group, beside the heading
	said    bool      // the heading shows the badge, and the row doesn't
	right   string    // at the right edge
	todo    *openTodo // an open todo of the document in row
	more    string    // text of the line that opens the list of all todos
	missing string
	calm    string // text that replaces an empty group
	hit     *filter.Hit
	rows    int // height
}

// key identifies an item for the bar. The bar can't stop at an item with the key "".
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

// isHeading reports whether an item is a heading or a blank line.
func (l *pane) isHeading(i int) bool {
	it := &l.items[i]
	return it.key() == "" && it.missing == "" && it.calm == ""
}

// entries implements blocks.Items with the items of a list.
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

// With implements blocks.Grouped. It keeps a heading with the first row of its group, and the ends of the list with
// everything beyond.
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

// build makes the items from the sorted rows. blanks puts a blank line between groups.
func (l *pane) build(now time.Time, width, rows int, blanks bool) {
	before, was, atTop := max(l.bar.At, 0), l.items, l.bar.Win == blocks.Window{}
	top := -l.bar.Win.Off
	if before < len(was) {
		top, _ = l.bar.Span(before)
	}
	shown := l.shown
	l.marks.sums, l.column = nil, 0
	if l.kind == sessions.KindDocument {
		l.docs.chain(shown)
	}
	b := builder{
		store: &l.store, scope: l.scope, docs: &l.docs, tally: &l.tally,
		now: now, options: l.rowOptions(item{}, width, true, now, nil), sel: l.sel, blanks: blanks,
	}
	switch {
	case l.isFiltered() && l.answered != "": // keep the list until the first answer
		b.addHits(l.hits)
		b.addOpenHits(l.hits, l.answered)
		if l.typing {
			b.addMore()
		}
	case l.kind == sessions.KindDocument:
		b.addDocuments(shown)
	default:
		b.addGroups(shown)
	}
	l.items = b.items
	if l.kind == sessions.KindSession {
		l.column = render.ProjectColumn(shown, l.rowsIn(rows))
	}
	l.selectAgain(was, before)
	l.bar.Rows, l.bar.At = rows, l.find(l.sel)
	l.bar.Win.Show(max(l.bar.At, 0), -top, len(l.items), rows, l.bar.Items.Height)
	if atTop || l.bar.At < 0 { // show new rows at the top
		l.bar.Win = blocks.Window{}
	}
	l.bar.Reveal()
}

// rowsIn returns the number of rows in the given number of lines from the top.
func (l *pane) rowsIn(lines int) (n int) {
	for i := range l.items {
		if lines -= l.items[i].rows; lines < 0 {
			break
		}
		if l.items[i].row != nil {
			n++
		}
	}
	return n
}

// filtered stores the result of the filter. If the pattern is new, or the selected row doesn't match, the bar moves to
// the best match.
func (l *pane) filtered(hits []filter.Hit) {
	fresh := l.answered != l.field.Text()
	l.hits, l.answered = hits, l.field.Text()
	if (fresh || l.best) && len(hits) > 0 || !slices.ContainsFunc(hits, func(h filter.Hit) bool { return h.Path == l.sel }) && len(hits) > 0 {
		l.best = true
		l.putOn(hits[0].Path)
		l.bar.Win = blocks.Window{}
	}
}

// putOn moves the bar to the item with a key, as soon as this item is listed.
func (l *pane) putOn(key string) {
	l.sel = key
	l.bar.At = l.find(key)
}

// find returns the index of the item with a key, or -1 if no such item is listed.
func (l *pane) find(key string) int {
	if key == "" {
		return -1
	}
	if at := l.bar.At; at >= 0 && at < len(l.items) && l.items[at].key() == key {
		return at
	}
	return slices.IndexFunc(l.items, func(it item) bool { return it.key() == key })
}

// selected returns the selected item, or the zero item if no item is selected.
func (l *pane) selected() item {
	if l.bar.At < 0 || l.bar.At >= len(l.items) {
		return item{}
	}
	return l.items[l.bar.At]
}

// selectedRow returns the selected row, or nil if no row is selected.
func (l *pane) selectedRow() *sessions.Row { return l.selected().row }

func (l *pane) move(delta int) {
	if l.bar.At >= 0 { // the bar stays here when other rows arrive
		l.bar.Choose(l.bar.At)
	}
	l.bar.Move(delta)
}

// toEnd moves the bar to the last row (step above 0) or to the first row.
func (l *pane) toEnd(step int) {
	if l.bar.At >= 0 {
		l.bar.ToEnd(step)
	}
}

// isFirst reports whether the bar is on the first row.
func (l *pane) isFirst() bool { return l.bar.Next(max(l.bar.At, 0)-1, -1) < 0 }

// click moves the bar to a row of the view. It returns true if the bar was already there.
func (l *pane) click(row int) bool {
	i := l.bar.Item(row)
	if i < 0 || !l.bar.Items.Stops(i) {
		return false
	}
	was := l.sel
	l.bar.Choose(i)
	return was == l.sel
}

// goTo moves the bar to the row with a path. It returns false if this row isn't listed.
func (l *pane) goTo(path string) bool {
	i := l.find(path)
	if i < 0 {
		return false
	}
	l.bar.Choose(i)
	l.bar.Reveal()
	return true
}

// await clears the filter and moves the bar to the row with a path, as soon as this row is listed.
func (l *pane) await(path string) {
	l.field.Set("")
	l.hits, l.answered, l.onHead = nil, "", false
	l.best = false
	l.expect(path)
}

// expect moves the bar to the row with a path, as soon as this row is listed.
func (l *pane) expect(path string) {
	l.touched = true
	l.putOn(path)
}

// position returns the number of the selected row, from 1, or 0.
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
