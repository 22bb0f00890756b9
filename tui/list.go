package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// list is the pane of one tab: sessions, backups or documents. Rows are known by their path; what is on the
// screen is built anew from them when something changes, and the bar stays on its row and on its screen row.
type list struct {
	kind  sessions.Kind
	held  map[string]*held
	items []item // what the window shows, in order
	shown []*sessions.Row
	among []*filter.Candidate // what the filter searches: made of shown when it is needed
	win   blocks.Window

	sel     string // path of the selected row
	at      int    // its item, as of the last look
	touched bool   // the bar was moved: until then it stays on the first row
	best    bool   // it is on the best match, and was not moved since

	marks  marks // of backups
	onHead bool  // the bar is on the line above, which names the project

	field    field.Field // what it is filtered by
	typing   bool
	hits     []filter.Hit // answer to answered
	answered string

	docs   documents
	width  int    // of the pane, as of the last build
	column int    // cells of the projects of sessions, 0 while all are of one
	scope  *scope // shared by all tabs
	tally  tally
}

// scope says which rows are listed. All tabs share it.
type scope struct {
	project    string // "" none: the program was not started in one
	home       string
	all        bool     // all projects, not only project
	showHidden bool     // stubs and headless runs too
	partial    bool     // only the newest rows are there yet: no count is known
	missing    []string // what could not be looked at, in sentences
}

// wide reports whether rows of all projects are listed.
func (s *scope) wide() bool { return s.all || s.project == "" }

// held is a row, and the load that brought it.
type held struct {
	row       sessions.Row // never changed: another row gets another held
	gen       int
	candidate *filter.Candidate // for the filter; nil until it is needed
}

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

// tally counts what the rows are.
type tally struct {
	shown, inScope          int                      // not hidden; shown counts all projects
	gone, goneHere          int                      // of shown and of inScope: their files were deleted, and no count has them
	hiddenRuns, hiddenStubs int                      // in scope
	exact, total            int                      // of all rows
	pending, unsaved        int                      // of all rows; unsaved ended without a backup
	pendingHere             int                      // in scope
	pendingIn               map[string]int           // by project
	pendingFirst            map[string]*sessions.Row // the newest, by folder
}

// add takes a batch of a load in.
func (l *list) add(b sessions.Batch, gen int) {
	l.put(b.Rows, gen)
	for _, path := range b.Gone {
		delete(l.held, path)
	}
	if b.Done { // what a reload did not find again is gone
		for path, h := range l.held {
			if h.gen != gen {
				delete(l.held, path)
			}
		}
	}
}

func (l *list) put(rows []sessions.Row, gen int) {
	if l.held == nil {
		l.held = map[string]*held{}
	}
	for i := range rows {
		if rows[i].Kind == l.kind {
			l.held[rows[i].Path] = &held{row: rows[i], gen: gen}
		}
	}
}

// change takes in what has happened since. A file that was deleted stays as a row that says so.
func (l *list) change(b sessions.Batch, gen int) {
	l.put(b.Rows, gen)
	for _, path := range b.Gone {
		if h := l.held[path]; h != nil {
			row := h.row
			row.Deleted, row.Live = true, nil
			row.Pending, row.Unseen = false, false
			row.Flags = slices.DeleteFunc(slices.Clone(row.Flags), func(f sessions.Flag) bool {
				return f == sessions.FlagLive || f == sessions.FlagPurgeSoon
			})
			l.held[path] = &held{row: row, gen: h.gen}
		}
	}
}

// build lists the rows again. blanks puts a blank line before each group but the first.
func (l *list) build(now time.Time, width, rows int, blanks bool) {
	l.width = width
	before, was := l.index(), l.items
	screen, atTop := l.rowOf(before), l.win == blocks.Window{}
	shown := l.sorted()
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
	l.shown, l.among = shown, nil
	l.selectAgain(was, before)
	l.win.Show(l.index(), -screen, len(l.items), rows, l.height)
	if atTop { // what is new comes at the top, and is to be seen
		l.win = blocks.Window{}
	}
	l.reveal(rows)
}

// isFiltered reports whether there is something to filter by.
func (l *list) isFiltered() bool { return strings.TrimSpace(l.field.Text()) != "" }

// rowOf is the row of the pane that an item begins at.
func (l *list) rowOf(i int) int {
	y := -l.win.Off
	for k := l.win.Top; k < i && k < len(l.items); k++ {
		y += l.height(k)
	}
	for k := i; k < l.win.Top && k < len(l.items); k++ {
		y -= l.height(k)
	}
	return y
}

func (l *list) height(i int) int { return l.items[i].rows }

// filtered takes the answer of the filter in. To a new pattern the bar goes to the best row; when the rows have
// changed it stays where it is if its row still matches.
func (l *list) filtered(hits []filter.Hit) {
	fresh := l.answered != l.field.Text()
	l.hits, l.answered = hits, l.field.Text()
	if (fresh || l.best) && len(hits) > 0 || !slices.ContainsFunc(hits, func(h filter.Hit) bool { return h.Path == l.sel }) && len(hits) > 0 {
		l.sel, l.best = hits[0].Path, true
		l.win = blocks.Window{}
	}
}

// find is the item that the bar knows by a key, that of a row by its path; -1 when it is not listed.
func (l *list) find(key string) int {
	if key == "" {
		return -1
	}
	if l.at < len(l.items) && l.items[l.at].key() == key {
		return l.at
	}
	return slices.IndexFunc(l.items, func(it item) bool { return it.key() == key })
}

// index is the item of the selected row, 0 when there is none.
func (l *list) index() int {
	l.at = max(l.find(l.sel), 0)
	return l.at
}

// selectAgain puts the bar on a row that is listed: its own, else the next of those that were listed around it. Until
// the bar is moved it stays on the first row.
func (l *list) selectAgain(was []item, before int) {
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
	for _, i := range []int{l.rowFrom(before, 1), l.rowFrom(before, -1)} {
		if i >= 0 {
			l.sel = l.items[i].key()
			return
		}
	}
}

// rowFrom is the first item from i on, in a direction, that is a row; -1 none.
func (l *list) rowFrom(i, step int) int {
	for ; i >= 0 && i < len(l.items); i += step {
		if l.items[i].key() != "" {
			return i
		}
	}
	return -1
}

// selected is the row under the bar, nil when there is none.
func (l *list) selected() *sessions.Row {
	if i := l.index(); i < len(l.items) {
		return l.items[i].row
	}
	return nil
}

// move moves the bar by so many rows, or as far as it goes.
func (l *list) move(delta, rows int) {
	step := 1
	if delta < 0 {
		step, delta = -1, -delta
	}
	i := l.index()
	for ; delta > 0; delta-- {
		next := l.rowFrom(i+step, step)
		if next < 0 {
			break
		}
		i = next
	}
	l.choose(i)
	l.reveal(rows)
}

// choose puts the bar on an item that is a row.
func (l *list) choose(i int) bool {
	if i < 0 || i >= len(l.items) || l.items[i].key() == "" {
		return false
	}
	l.sel, l.at, l.touched, l.best, l.onHead = l.items[i].key(), i, true, false, false
	return true
}

// scroll moves the view; the bar stays on its row until it would leave the view.
func (l *list) scroll(delta, rows int) {
	l.win.Scroll(delta, len(l.items), rows, l.height)
	spans := l.win.Visible(len(l.items), rows, l.height)
	if len(spans) == 0 {
		return
	}
	i, first, last := l.index(), spans[0].Item, spans[len(spans)-1].Item
	if spans[0].From > 0 && first < last { // half of it is out
		first++
	}
	if spans[len(spans)-1].To < l.height(last) && first < last {
		last--
	}
	switch {
	case i < first:
		l.choose(l.rowFrom(first, 1))
	case i > last:
		l.choose(l.rowFrom(last, -1))
	}
}

// reveal scrolls as little as possible to show the bar, with the heading when it is the first of its group.
func (l *list) reveal(rows int) {
	i := l.index()
	if i >= len(l.items) {
		l.win = blocks.Window{}
		return
	}
	if from := l.headOf(i, rows); l.rowOf(from) < 0 {
		l.win.Show(from, 0, len(l.items), rows, l.height)
	}
	high := l.height(i)
	if l.rowFrom(i+1, 1) < 0 { // behind the last row stands what could not be listed
		for k := i + 1; k < len(l.items) && high < rows; k++ {
			high += l.height(k)
		}
	}
	switch y := l.rowOf(i); {
	case y < 0:
		l.win.Show(i, 0, len(l.items), rows, l.height)
	case y+high > rows:
		l.win.Show(i, high-rows, len(l.items), rows, l.height)
	}
}

// headOf is the item that is seen with a row where there is room: what stands above the first of all, the heading of the
// group that it begins.
func (l *list) headOf(i, rows int) int {
	fits := func(from int) bool { return l.rowOf(i)-l.rowOf(from)+l.height(i) <= rows }
	switch {
	case l.rowFrom(i-1, -1) < 0 && fits(0):
		return 0
	case i > 0 && l.items[i-1].heading != "" && fits(i-1):
		return i - 1
	}
	return i
}

// itemAt is the item at a row of the pane, -1 none.
func (l *list) itemAt(row, rows int) int {
	y := 0
	for _, s := range l.win.Visible(len(l.items), rows, l.height) {
		if y += s.To - s.From; row < y {
			return s.Item
		}
	}
	return -1
}

// position is the number of the selected row among the rows, from 1.
func (l *list) position() int {
	n := 0
	for _, it := range l.items[:min(l.index()+1, len(l.items))] {
		if it.row != nil && it.todo == nil {
			n++
		}
	}
	return n
}
