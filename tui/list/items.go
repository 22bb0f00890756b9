package list

import (
	"cmp"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

func (l *pane) itemsOfGroups(shown []*sessions.Row, now time.Time, blanks bool) {
	last, count, days := group{day: -1}, map[string]int{}, render.DaysOf(now)
	if l.kind == sessions.KindBackup {
		for _, r := range shown {
			if !r.Deleted {
				name, _ := render.GroupOf(r, now)
				count[name]++
			}
		}
		l.itemOfNonePending(blanks)
	}
	months := l.monthsOf(shown, now, &days)
	for _, r := range shown {
		g := l.groupOf(r, now, &days)
		if g != last && !months.joins(g, l.items) {
			if blanks && last.day >= 0 {
				l.items = append(l.items, item{rows: 1})
			}
			if name, dates := l.headingOf(g, r, now, &days); name != "" {
				l.items = append(l.items, item{heading: name, dates: dates, count: count[name], rows: 1})
			}
			months.begun(g, l.items)
		}
		last = g
		l.items = append(l.items, item{row: r, rows: l.rowsOf(r, nil)})
	}
	if l.kind == sessions.KindSession {
		sayOnce(l.items, now)
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

// sayOnce moves the word of a badge from the rows to the heading of their group if all rows of the group have it.
// It does so only for sessions that Claude Code will delete soon.
func sayOnce(items []item, now time.Time) {
	for i := 0; i < len(items); i++ {
		if items[i].heading == "" {
			continue
		}
		end, word := i+1, ""
		for ; end < len(items) && items[end].row != nil; end++ {
			r := items[end].row
			_, w := render.BadgeSpans(r, now)
			if r.Badge() != sessions.BadgePurgeSoon || end > i+1 && w.Text != word {
				break
			}
			word = w.Text
		}
		if end < i+3 || end < len(items) && items[end].row != nil {
			continue
		}
		items[i].badge = word
		for k := i + 1; k < end; k++ {
			items[k].said = true
		}
	}
}

// itemOfNonePending adds a line that says that no backup is pending, if none is.
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

// itemsOfHits adds those rows that the filter has found and that still exist. Documents of several projects are grouped by
// project, because their rows don't show the project. The project with the best match is first.
func (l *pane) itemsOfHits(now time.Time, blanks bool) {
	o, head := l.rowOptions(item{}, l.width, true, now, nil), l.heading(blanks)
	count, order := map[string]int{}, map[string]int{}
	var found []item
	for i := range l.hits {
		h := &l.hits[i]
		held := l.held[h.Path]
		if held == nil {
			continue
		}
		r := &held.row
		h.Cut = (h.TitleAt > 0 || l.kind == sessions.KindBackup) && render.TitleCutAt(r, o, h.TitleAt)
		switch l.kind {
		case sessions.KindBackup:
			h.FindColumn(render.BackupLacks(r, o))
		case sessions.KindDocument:
			h.FindColumn(render.DocumentLacks(r, o, l.chained(r).Problem))
		case sessions.KindSession:
		}
		if count[r.Project]++; count[r.Project] == 1 {
			order[r.Project] = len(order)
		}
		found = append(found, item{row: r, hit: h, rows: l.rowsOf(r, h)})
	}
	grouped := l.kind == sessions.KindDocument && l.scope.wide()
	if grouped {
		slices.SortStableFunc(found, func(a, b item) int { return order[a.row.Project] - order[b.row.Project] })
	}
	for i, it := range found {
		if project := it.row.Project; grouped && (i == 0 || found[i-1].row.Project != project) {
			head(item{heading: cmp.Or(render.Base(project), "No project"), count: count[project]})
		}
		l.items = append(l.items, it)
	}
}

// itemOfMore says below the found rows how to find more, while the filter is typed.
func (l *pane) itemOfMore() {
	if l.typing && len(l.items) > 0 {
		l.items = append(l.items, item{rows: 1}, item{calm: "Not here? tab searches everything that was said.", rows: 1})
	}
}

// rowsOf returns the height of a row. If a filter has found the row, h is the match.
func (l *pane) rowsOf(r *sessions.Row, h *filter.Hit) int {
	switch {
	case h != nil:
		if name, _, _ := h.Below(); name != "" {
			return 2
		}
	case l.kind == sessions.KindDocument:
		return render.DocumentHeight(r, render.RowOptions{Width: l.width, Project: l.scope.wide()}, l.chained(r))
	}
	return 1
}
