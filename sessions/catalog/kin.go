package catalog

import (
	"context"

	"github.com/continuo-tui/continuo/sessions"
)

// This file keeps what is said of backups right while their transcripts change. What they are compared with is read in
// a goroutine of its own, as everything in a memory.

// kinLook is the result of comparing backups with their transcripts.
type kinLook struct {
	rows []sessions.Row
	bug  *sessions.PanicError
}

// lookAtKin compares the backups of sessions that have changed, one look at a time.
func (w *watcher) lookAtKin(ctx context.Context) {
	if w.relating || !w.changed {
		return
	}
	w.changed = false
	rows, from := w.c.uncompared()
	if len(rows) == 0 {
		return
	}
	w.relating = true
	c, to := w.c, w.kin
	go func() {
		var look kinLook
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

// uncompared returns the backups that weren't compared with the current state of their transcript.
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

// related sends the results of looking at backups.
func (w *watcher) related(ctx context.Context, look kinLook) bool {
	if look.bug != nil {
		panic(look.bug)
	}
	w.relating = false
	w.changed = w.changed || len(look.rows) > 0 // a session may have changed meanwhile
	return w.send(ctx, sessions.Batch{Rows: w.c.base.related(look.rows)})
}

// related returns the backups of which something else was found out than was sent.
func (b *baseline) related(found []sessions.Row) []sessions.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	var rows []sessions.Row
	for i := range found {
		r := &found[i]
		e, ok := b.at[r.Path]
		now := e.row
		now.Original, now.Unsearched, now.Relation, now.Fault = r.Original, r.Unsearched, r.Relation, r.Fault
		was := &e.row
		if ok && was.Bytes == r.Bytes && was.Modified.Equal(r.Modified) &&
			(now.Original != was.Original || now.Unsearched != was.Unsearched || now.Relation != was.Relation || now.Fault != was.Fault) {
			rows = append(rows, now)
		}
	}
	return rows
}
