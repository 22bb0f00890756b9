package catalog

import (
	"context"

	"github.com/continuo-tui/continuo/sessions"
)

// The functions below update OfTitle, Relation and Fault of backups when transcripts change. They compare files in a
// goroutine, because a disk may hang.

// comparisons is the result of a goroutine that compares backups with transcripts.
type comparisons struct {
	rows []sessions.Row
	bug  *sessions.PanicError
}

// recompare starts to compare backups of changed sessions, unless a comparison is running.
func (w *watcher) recompare(ctx context.Context) {
	if w.relating || !w.changed {
		return
	}
	w.changed = false
	rows, from := w.c.uncompared()
	if len(rows) == 0 {
		return
	}
	w.relating = true
	c, to := w.c, w.compared
	go func() {
		var look comparisons
		look.bug = sessions.Catch(func() {
			for i := range rows {
				if c.compare(ctx, &rows[i], from.of(&rows[i]), false) != nil {
					return
				}
			}
			look.rows = rows
		})
		to <- look
	}()
}

// uncompared returns the backups to compare with the current transcripts.
func (c *Catalog) uncompared() ([]sessions.Row, originals) {
	var all, rows []sessions.Row
	c.base.each(func(row *sessions.Row) {
		if row.Kind == sessions.KindBackup && row.Exact && row.Of != "" {
			all = append(all, *row)
		}
	})
	from := c.base.originals(all)
	for i := range all {
		if !c.known(&all[i], from.of(&all[i])) {
			rows = append(rows, all[i])
		}
	}
	sortRows(rows)
	return rows, from
}

// related sends the backups with a new result. It returns false if ctx ended.
func (w *watcher) related(ctx context.Context, look comparisons) bool {
	if look.bug != nil {
		panic(look.bug)
	}
	w.relating = false
	w.changed = w.changed || len(look.rows) > 0 // compare again, because sessions may have changed meanwhile
	return w.send(ctx, sessions.Batch{Rows: w.c.base.related(look.rows)})
}

// related returns the backups whose result differs from the row that was sent.
func (b *baseline) related(found []sessions.Row) []sessions.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	var rows []sessions.Row
	for i := range found {
		r := &found[i]
		e, ok := b.at[r.Path]
		now := e.row
		now.Original, now.OfTitle, now.Unsearched, now.Relation, now.Fault = r.Original, r.OfTitle, r.Unsearched, r.Relation, r.Fault
		was := &e.row
		if ok && was.Bytes == r.Bytes && was.Modified.Equal(r.Modified) &&
			(now.Original != was.Original || now.OfTitle != was.OfTitle || now.Unsearched != was.Unsearched || now.Relation != was.Relation || now.Fault != was.Fault) {
			rows = append(rows, now)
		}
	}
	return rows
}
