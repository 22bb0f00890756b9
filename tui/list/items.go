package list

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

// sort puts the rows in scope that are not hidden in their order, and counts.
func (l *pane) sort() {
	t := Tally{}
	l.prune()
	var shown []*sessions.Row
	for _, h := range l.held {
		r := &h.row
		t.Total++
		if r.Exact {
			t.Exact++
		}
		if screen.IsUnsaved(r) {
			t.Unsaved++
		}
		if r.Pending {
			t.countPending(r)
		}
		quiet := r.Quiet()
		if l.scope.showHidden || !quiet {
			t.Shown++
			if r.Deleted {
				t.Gone++
			}
		}
		if !l.scope.wide() && r.Project != l.scope.project {
			continue
		}
		switch {
		case l.scope.showHidden || !quiet:
			t.InScope++
			if r.Deleted {
				t.GoneHere++
			}
			if r.Pending {
				t.PendingHere++
			}
			shown = append(shown, r)
		case r.Has(sessions.FlagSDK):
			t.HiddenRuns++
		default:
			t.HiddenStubs++
		}
	}
	slices.SortFunc(shown, compareRows)
	l.tally, l.shown, l.among = t, shown, nil
}

func (t *Tally) countPending(r *sessions.Row) {
	if t.Pending++; t.PendingIn == nil {
		t.PendingIn, t.PendingFirst = map[string]int{}, map[string]*sessions.Row{}
	}
	t.PendingIn[r.Project]++
	if first := t.PendingFirst[r.Workdir]; first == nil || r.Compare(first) < 0 {
		t.PendingFirst[r.Workdir] = r
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

func (l *pane) itemsOfGroups(shown []*sessions.Row, now time.Time, blanks bool) {
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
func (l *pane) itemOfNonePending(blanks bool) {
	t := &l.tally
	if l.scope.partial || t.PendingHere > 0 || t.InScope == 0 {
		return
	}
	text := "Nothing is pending"
	if t.Pending > 0 {
		text += " here, " + words.Count(t.Pending) + " elsewhere"
	}
	l.items = append(l.items, item{calm: text, rows: 1})
	if blanks {
		l.items = append(l.items, item{rows: 1})
	}
}

// itemsOfHits lists the last answer of the filter. Rows that have left since are not in it.
func (l *pane) itemsOfHits(now time.Time) {
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
func (l *pane) rowsOf(r *sessions.Row, h *filter.Hit) int {
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
