package catalog

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

// notes maps sessions to the user's notes. Rows have notes; sessions in the cache don't.
type notes map[annotate.Key]annotate.Note

// notes reads the current notes. After an error, it also returns the previous notes.
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

// mark sets the fields of a session's row that come from its note. It returns true if the row changed.
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
	return note.SetFields(r)
}

// remark updates the notes in rows, which may be older than the notes.
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

// noted returns the paths of sessions whose notes changed after their rows were sent.
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

// resaved updates the note of the session in a backup. changed is true if the note changed.
func (n notes) resaved(b *sessions.Row) (row sessions.Row, changed bool) {
	row = *b
	if b.Saved != nil {
		saved := *b.Saved
		changed = n.mark(&saved)
		row.Saved = &saved
	}
	return row, changed
}

// renoted returns the backups whose session has a new note.
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

// keepSaved copies Saved to unchanged backups from rows that were sent. Reloads then show the sessions of backups at
// once.
func (b *baseline) keepSaved(rows []sessions.Row, n notes) {
	for i := range rows {
		r := &rows[i]
		if was, ok := b.row(r.Path); ok && r.Kind == sessions.KindBackup && fileStateOf(&was) == fileStateOf(r) {
			r.Saved = was.Saved
			*r, _ = n.resaved(r)
		}
	}
}
