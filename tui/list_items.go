package tui

import (
	"cmp"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// sorted returns the rows in scope that are not hidden, in their order, and counts.
func (l *list) sorted() []*sessions.Row {
	t := tally{}
	l.prune()
	var shown []*sessions.Row
	for _, h := range l.held {
		r := &h.row
		t.total++
		if r.Exact {
			t.exact++
		}
		if screen.IsUnsaved(r) {
			t.unsaved++
		}
		if r.Pending {
			t.countPending(r)
		}
		quiet := r.Quiet()
		if l.scope.showHidden || !quiet {
			t.shown++
			if r.Deleted {
				t.gone++
			}
		}
		if !l.scope.wide() && r.Project != l.scope.project {
			continue
		}
		switch {
		case l.scope.showHidden || !quiet:
			t.inScope++
			if r.Deleted {
				t.goneHere++
			}
			if r.Pending {
				t.pendingHere++
			}
			shown = append(shown, r)
		case r.Has(sessions.FlagSDK):
			t.hiddenRuns++
		default:
			t.hiddenStubs++
		}
	}
	slices.SortFunc(shown, compareRows)
	l.tally = t
	return shown
}

func (t *tally) countPending(r *sessions.Row) {
	if t.pending++; t.pendingIn == nil {
		t.pendingIn, t.pendingFirst = map[string]int{}, map[string]*sessions.Row{}
	}
	t.pendingIn[r.Project]++
	if first := t.pendingFirst[r.Workdir]; first == nil || r.Compare(first) < 0 {
		t.pendingFirst[r.Workdir] = r
	}
}

// compareRows puts pending backups first, and then those that nobody has looked at.
func compareRows(a, b *sessions.Row) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Compare(b))
}

func rank(r *sessions.Row) int {
	switch {
	case r.Pending:
		return 0
	case r.Unseen:
		return 1
	}
	return 2
}

func (l *list) itemsOfGroups(shown []*sessions.Row, now time.Time, blanks bool) {
	last, count := "", map[string]int{}
	if l.kind == sessions.KindBackup {
		for _, r := range shown {
			if !r.Deleted {
				count[render.GroupOf(r, now)]++
			}
		}
		l.itemOfNonePending(blanks)
	}
	for _, r := range shown {
		if g := render.GroupOf(r, now); g != last {
			if blanks && last != "" {
				l.items = append(l.items, item{rows: 1})
			}
			last = g
			h := item{heading: g, rows: 1}
			if r.Kind == sessions.KindBackup {
				h.count = count[g]
			}
			l.items = append(l.items, h)
		}
		l.items = append(l.items, item{row: r, rows: l.rowsOf(r, nil)})
	}
	if l.kind != sessions.KindSession || len(l.scope.missing) == 0 || len(shown) == 0 {
		return
	}
	if blanks {
		l.items = append(l.items, item{rows: 1})
	}
	l.items = append(l.items, item{heading: "Not listed", count: len(l.scope.missing), rows: 1})
	for _, text := range l.scope.missing {
		l.items = append(l.items, item{missing: text, rows: 1})
	}
}

// itemOfNonePending says that no backup waits, in the place of those that would.
func (l *list) itemOfNonePending(blanks bool) {
	t := &l.tally
	if l.scope.partial || t.pendingHere > 0 || t.inScope == 0 {
		return
	}
	text := "Nothing is pending"
	if t.pending > 0 {
		text += " here, " + words.Count(t.pending) + " elsewhere"
	}
	l.items = append(l.items, item{calm: text, rows: 1})
	if blanks {
		l.items = append(l.items, item{rows: 1})
	}
}

// itemsOfHits lists the last answer of the filter. Rows that have left since are not in it.
func (l *list) itemsOfHits(now time.Time) {
	o := l.rowOptions(item{}, l.width, true, now, nil)
	for i := range l.hits {
		h := &l.hits[i]
		if held := l.held[h.Path]; held != nil {
			h.Cut = h.TitleAt > 0 && render.TitleCutAt(&held.row, o, h.TitleAt)
			l.items = append(l.items, item{row: &held.row, hit: h, rows: l.rowsOf(&held.row, h)})
		}
	}
}

// rowsOf is how many rows of the screen a row takes.
func (l *list) rowsOf(r *sessions.Row, h *filter.Hit) int {
	n := 1
	if l.kind == sessions.KindDocument {
		n = render.DocumentHeight(r, render.RowOptions{Width: l.width, Project: l.scope.wide()}, l.chained(r, h))
	}
	if h != nil {
		if _, ok := h.Below(); ok {
			n++
		}
	}
	return n
}
