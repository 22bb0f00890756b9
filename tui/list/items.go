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

// builder makes the items of a list from its rows.
type builder struct {
	*store
	scope *scope
	docs  *documents
	tally *Tally

	now     time.Time
	options render.RowOptions // for a row without the selection bar
	sel     string            // path of the selected row
	blanks  bool              // a blank line above each group except the first
	items   []item
}

// addGroups adds the rows under the headings of their groups, and then the errors.
func (b *builder) addGroups(shown []*sessions.Row) {
	last, count, days := group{day: -1}, map[string]int{}, render.DaysOf(b.now)
	if b.kind == sessions.KindBackup {
		for _, r := range shown {
			if !r.Deleted {
				name, _ := render.GroupOf(r, b.now)
				count[name]++
			}
		}
		b.addNonePending()
	}
	months := b.monthsOf(shown, &days)
	for _, r := range shown {
		g := b.groupOf(r, &days)
		if g != last && !months.joins(g, b.items) {
			if b.blanks && last.day >= 0 {
				b.items = append(b.items, item{rows: 1})
			}
			if name, dates := b.headingOf(g, r, &days); name != "" {
				b.items = append(b.items, item{heading: name, dates: dates, count: count[name], rows: 1})
			}
			months.begun(g, b.items)
		}
		last = g
		b.items = append(b.items, item{row: r, rows: b.rowsOf(r, nil)})
	}
	if b.kind == sessions.KindSession {
		sayOnce(b.items, b.now)
	}
	if b.kind != sessions.KindSession || len(b.scope.missing) == 0 || len(shown) == 0 {
		return
	}
	if b.blanks {
		b.items = append(b.items, item{rows: 1})
	}
	b.items = append(b.items, item{heading: "Not listed", count: len(b.scope.missing), rows: 1})
	for _, text := range b.scope.missing {
		b.items = append(b.items, item{missing: text, rows: 1})
	}
}

// sayOnce moves the word of a badge to the heading if all rows of the group have it. It does so only for sessions that
// Claude Code will delete soon.
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

// addNonePending adds the line “Nothing is pending” if no backup here is pending.
func (b *builder) addNonePending() {
	t := b.tally
	if b.scope.partial || t.PendingHere > 0 || t.InScope == 0 {
		return
	}
	text := "Nothing is pending"
	if t.Pending > 0 {
		text += " here, " + words.Count(t.Pending) + " elsewhere"
	}
	b.items = append(b.items, item{calm: text, rows: 1})
	if b.blanks {
		b.items = append(b.items, item{rows: 1})
	}
}

// addHits adds the rows that the filter has found, best match first. Documents are grouped by project, because their
// rows don't show the project.
func (b *builder) addHits(hits []filter.Hit) {
	o := b.options
	count, order := map[string]int{}, map[string]int{}
	var found []item
	for i := range hits {
		h := &hits[i]
		held := b.held[h.Path]
		if held == nil {
			continue
		}
		r := &held.row
		h.Cut = (h.TitleAt > 0 || b.kind == sessions.KindBackup) && render.TitleCutAt(r, o, h.TitleAt)
		switch b.kind {
		case sessions.KindBackup:
			h.FindColumn(render.BackupLacks(r, o))
		case sessions.KindDocument:
			h.FindColumn(render.DocumentLacks(r, o, b.docs.chained(r, b.sel).Problem))
		case sessions.KindSession:
		}
		if count[r.Project]++; count[r.Project] == 1 {
			order[r.Project] = len(order)
		}
		found = append(found, item{row: r, hit: h, rows: b.rowsOf(r, h)})
	}
	grouped := b.kind == sessions.KindDocument && b.scope.wide()
	if grouped {
		slices.SortStableFunc(found, func(a, b item) int { return order[a.row.Project] - order[b.row.Project] })
	}
	for i, it := range found {
		if project := it.row.Project; grouped && (i == 0 || found[i-1].row.Project != project) {
			b.head(item{heading: cmp.Or(render.Base(project), "No project"), count: count[project]})
		}
		b.items = append(b.items, it)
	}
}

// addMore adds the line that names the search over all texts.
func (b *builder) addMore() {
	if len(b.items) > 0 {
		b.items = append(b.items, item{rows: 1}, item{calm: "Not here? tab searches everything that was said.", rows: 1})
	}
}

// rowsOf returns the height of a row. h is the match of the filter, or nil.
func (b *builder) rowsOf(r *sessions.Row, h *filter.Hit) int {
	switch {
	case h != nil:
		if name, _, _ := h.Below(); name != "" {
			return 2
		}
	case b.kind == sessions.KindDocument:
		return render.DocumentHeight(r, render.RowOptions{Width: b.options.Width, Project: b.scope.wide()}, b.docs.chained(r, b.sel))
	}
	return 1
}

// head adds a heading. blanks puts a blank line between groups.
func (b *builder) head(h item) {
	if h.rows = 1; b.blanks && len(b.items) > 0 {
		b.items = append(b.items, item{rows: 1})
	}
	b.items = append(b.items, h)
}
