package tui

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// list is the pane of sessions. Rows are known by their path; what is on the screen is built anew from them when
// something changes, and the bar stays on its session and on its screen row.
type list struct {
	held  map[string]*held
	items []item      // what the window shows, in order
	among []candidate // what the filter searches; never changed once made, commands hold it
	win   window

	sel     string // path of the selected row
	touched bool   // the bar was moved: until then it stays on the first row

	all        bool // all projects, not only project
	showHidden bool // stubs and -p runs too
	pattern    string
	typing     bool
	hits       []hit // answer to answered
	answered   string

	project string
	home    string
	tally   tally
}

// held is a row, and the load that brought it.
type held struct {
	row sessions.Row
	gen int
}

// item is one line of the list: a row, a heading, or a blank line (neither).
type item struct {
	row     *sessions.Row
	heading string
	lit     []int
}

// tally counts what the rows are.
type tally struct {
	sessions, inScope       int // not hidden; sessions counts all projects
	hiddenRuns, hiddenStubs int // in scope
	exact, total            int // of all rows
}

// add takes a batch in.
func (l *list) add(b sessions.Batch, gen int) {
	if l.held == nil {
		l.held = map[string]*held{}
	}
	for _, r := range b.Rows {
		if r.Kind == sessions.KindSession {
			l.held[r.Path] = &held{r, gen}
		}
	}
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

// build lists the rows again. blanks puts a blank line before each group but the first.
func (l *list) build(now time.Time, rows int, blanks bool) {
	before := l.index()
	screen := before - l.win.top
	shown := l.sorted()
	l.items = l.items[:0:0]
	if l.pattern != "" && l.answered != "" { // until the first answer the list stands as it is
		l.itemsOfHits()
	} else {
		l.itemsOfGroups(shown, now, blanks)
	}
	l.among = l.candidates(shown)
	l.selectAgain(before)
	l.win.top = l.index() - screen
	l.reveal(rows)
}

// sorted returns the rows in scope that are not hidden, newest first, and counts.
func (l *list) sorted() []*sessions.Row {
	t := tally{}
	var shown []*sessions.Row
	for _, h := range l.held {
		r := &h.row
		t.total++
		if r.Exact {
			t.exact++
		}
		run, stub := r.Has(sessions.FlagSDK), r.State == sessions.StateStub || r.State == sessions.StateEmpty
		if !run && !stub {
			t.sessions++
		}
		if !l.all && l.project != "" && r.Project != l.project {
			continue
		}
		switch {
		case l.showHidden || !run && !stub:
			t.inScope++
			shown = append(shown, r)
		case run:
			t.hiddenRuns++
		default:
			t.hiddenStubs++
		}
	}
	slices.SortFunc(shown, (*sessions.Row).Compare)
	l.tally = t
	return shown
}

func (l *list) itemsOfGroups(shown []*sessions.Row, now time.Time, blanks bool) {
	group := ""
	for _, r := range shown {
		g := "Without a date"
		if r.Dated() {
			g = render.Group(now, r.When())
		}
		if g != group {
			if blanks && group != "" {
				l.items = append(l.items, item{})
			}
			group = g
			l.items = append(l.items, item{heading: g})
		}
		l.items = append(l.items, item{row: r})
	}
}

// itemsOfHits lists the last answer of the filter. Rows that have left since are not in it.
func (l *list) itemsOfHits() {
	for _, h := range l.hits {
		if held := l.held[h.path]; held != nil {
			l.items = append(l.items, item{row: &held.row, lit: h.lit})
		}
	}
}

// candidates has the texts for the filter. Within one project its name would match in every row.
func (l *list) candidates(shown []*sessions.Row) []candidate {
	among := make([]candidate, 0, len(shown))
	for _, r := range shown {
		c := candidate{
			path:   r.Path,
			id:     r.ID,
			title:  render.Title(r),
			branch: transcript.CleanLine(r.Branch),
			prompt: transcript.CleanLine(r.Prompt),
			when:   r.When(),
		}
		if l.all || l.project == "" {
			c.project = render.Folder(r.Project, l.home)
		}
		among = append(among, c)
	}
	return among
}

// filtered takes the answer of the filter in. To a new pattern the bar goes to the best row; when the rows have
// changed it stays where it is if its row still matches.
func (l *list) filtered(hits []hit) {
	fresh := l.answered != l.pattern
	l.hits, l.answered = hits, l.pattern
	if fresh && len(hits) > 0 || !slices.ContainsFunc(hits, func(h hit) bool { return h.path == l.sel }) && len(hits) > 0 {
		l.sel = hits[0].path
		l.win = window{}
	}
}

// find is the item of a row, -1 when it is not listed.
func (l *list) find(path string) int {
	return slices.IndexFunc(l.items, func(it item) bool { return it.row != nil && it.row.Path == path })
}

// index is the item of the selected row, 0 when there is none.
func (l *list) index() int { return max(l.find(l.sel), 0) }

// selectAgain puts the bar on a row that is listed: its own, else the one that is where it was. Until the bar is
// moved it stays on the first row.
func (l *list) selectAgain(before int) {
	wait := !l.touched && l.pattern == ""
	if !wait && l.find(l.sel) >= 0 {
		return
	}
	if wait {
		before = 0
	}
	before = min(before, len(l.items)-1)
	for _, i := range []int{l.rowFrom(before, 1), l.rowFrom(before, -1)} {
		if i >= 0 {
			l.sel = l.items[i].row.Path
			return
		}
	}
}

// rowFrom is the first item from i on, in a direction, that is a row; -1 none.
func (l *list) rowFrom(i, step int) int {
	for ; i >= 0 && i < len(l.items); i += step {
		if l.items[i].row != nil {
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
	if i = l.rowFrom(i, 1); i >= 0 {
		l.sel, l.touched = l.items[i].row.Path, true
	}
	l.reveal(rows)
}

// reveal scrolls as little as possible to show the bar, with the heading when it is the first of its group.
func (l *list) reveal(rows int) {
	i := l.index()
	first := i
	if i > 0 && l.items[i-1].heading != "" {
		first--
	}
	l.win.top = min(l.win.top, first)
	l.win.top = max(l.win.top, i-rows+1) // the row comes before its heading
	l.win.fit(len(l.items), rows, oneRow)
}

func oneRow(int) int { return 1 }

// position is the number of the selected row among the rows, from 1.
func (l *list) position() int {
	n := 0
	for _, it := range l.items {
		if it.row != nil {
			n++
			if it.row.Path == l.sel {
				return n
			}
		}
	}
	return 0
}
