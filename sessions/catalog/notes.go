package catalog

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

// notes are what a person wrote about sessions. They are put on rows, never on the sessions that the cache stores.
type notes map[annotate.Key]annotate.Note

// notes returns the current notes. If they can't be read, it returns the last ones and the error.
func (c *Catalog) notes() (notes, error) {
	if c.opts.Notes == nil {
		return nil, nil
	}
	found, err := c.opts.Notes()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.noted = found
	}
	return c.noted, err
}

// mark sets what a person wrote about the session of a row, and reports whether the row changed.
func (n notes) mark(r *sessions.Row) (changed bool) {
	if r.Kind != sessions.KindSession {
		return false
	}
	var note annotate.Note
	if len(n) > 0 {
		if key, ok := annotate.KeyOf(r.Path); ok {
			note = n[key]
		}
	}
	return note.Mark(r)
}

// remark sets the current notes on rows, because a person may have written some since the rows were made.
func (c *Catalog) remark(rows []sessions.Row) {
	notes, _ := c.notes() // a list reports the error
	for i := range rows {
		notes.mark(&rows[i])
	}
}

// row returns the row of a session.
func (n notes) row(s *sessions.Session) sessions.Row {
	r := sessions.Row{Kind: sessions.KindSession, Session: *s}
	n.mark(&r)
	return r
}

// rows returns the rows of sessions.
func (n notes) rows(list []sessions.Session) []sessions.Row {
	out := make([]sessions.Row, len(list))
	for i := range list {
		out[i] = n.row(&list[i])
	}
	return out
}

// noted returns the paths of the sessions whose notes changed since their rows were sent.
func (b *baseline) noted(n notes) []string {
	var paths []string
	b.each(func(row *sessions.Row) {
		if r := *row; n.mark(&r) {
			paths = append(paths, r.Path)
		}
	})
	slices.Sort(paths)
	return paths
}

// resaved returns a backup whose session has the current notes, and whether that changed the session.
func (n notes) resaved(b *sessions.Row) (row sessions.Row, changed bool) {
	row = *b
	if b.Saved != nil {
		saved := *b.Saved
		changed = n.mark(&saved)
		row.Saved = &saved
	}
	return row, changed
}

// renoted returns the backups whose sessions have other notes than when their rows were sent.
func (b *baseline) renoted(n notes) []sessions.Row {
	var rows []sessions.Row
	b.each(func(row *sessions.Row) {
		if now, changed := n.resaved(row); changed {
			rows = append(rows, now)
		}
	})
	sortRows(rows)
	return rows
}

// keepSaved copies Saved of unchanged backups from the rows that were sent, so that a reload shows their sessions at
// once.
func (b *baseline) keepSaved(rows []sessions.Row, n notes) {
	for i := range rows {
		r := &rows[i]
		if was, ok := b.row(r.Path); ok && r.Kind == sessions.KindBackup && likenessOf(&was) == likenessOf(r) {
			r.Saved = was.Saved
			*r, _ = n.resaved(r)
		}
	}
}
