package catalog

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// This file sets the fields of a backup that depend on other rows: whether the backup was reviewed, and the state of
// its transcript.

// Relate sets Unseen and Original of the backups in a whole list. It uses the sessions and documents in the list, and
// reads no files. seen has the paths of the backups that were opened in continuo.
func Relate(rows []sessions.Row, seen map[string]bool) {
	relate(rows, originalsOf(rows), seen, nil)
}

// relate works like Relate, but takes the sessions from the parameter from. look has facts about the backups, or is
// nil. If some documents in the directory of a backup couldn't be read, the backup isn't Unseen.
func relate(rows []sessions.Row, from originals, seen map[string]bool, look *reckoning) {
	documents := map[string]time.Time{} // memory → time of the newest session document
	for i := range rows {
		if r := &rows[i]; r.IsSessionDocument() && r.When().After(documents[r.Workdir]) {
			documents[r.Workdir] = r.When()
		}
	}
	for i := range rows {
		if r := &rows[i]; r.Kind == sessions.KindBackup {
			r.Unseen = !r.Pending && (look == nil || !look.undocumented[r.Workdir]) && (documents[r.Workdir].IsZero() || r.When().After(documents[r.Workdir])) && !seen[r.Path]
			r.Original, r.OfTitle = original(from.of(r))
		}
	}
}

// original returns the path and the title of the session of a backup; "" for the zero row.
func original(live *sessions.Row) (path, title string) {
	if live.Path == "" {
		return "", ""
	}
	return live.Path, live.Title()
}

// originals holds the sessions that have a backup, by session ID.
type originals map[string][]sessions.Row

func originalsOf(rows []sessions.Row) originals {
	o := originals{}
	for i := range rows {
		if rows[i].Kind == sessions.KindBackup && rows[i].Of != "" {
			o[rows[i].Of] = nil
		}
	}
	for i := range rows {
		o.add(&rows[i])
	}
	return o
}

// add adds a session that has a backup.
func (o originals) add(r *sessions.Row) {
	if _, ok := o[r.ID]; ok && r.Kind == sessions.KindSession && !r.Deleted {
		o[r.ID] = append(o[r.ID], *r)
	}
}

// of returns the session of a backup, or the zero row if there is none. If several sessions have the ID, it prefers
// sessions in the project of the backup, and then the newest session.
func (o originals) of(b *sessions.Row) *sessions.Row {
	best := &sessions.Row{}
	for i := range o[b.Of] {
		r := &o[b.Of][i]
		own, ownBest := r.Project == b.Project, best.Project == b.Project
		if best.Path == "" || own && !ownBest || own == ownBest && r.Compare(best) < 0 {
			best = r
		}
	}
	return best
}

// Compare sets Relation and Fault of a backup after Original was set. It compares both ends of the files, or every byte
// of the copy if whole is true. Relation stays empty if the transcript can't be read, or if the transcript may be in a
// directory that can't be listed. The error is ctx.Err().
func Compare(ctx context.Context, b *sessions.Row, whole bool) error {
	b.Fault = faultOf(b)
	b.Relation = ""
	unsearched := b.Original == "" && b.Unsearched
	if b.Of != "" && b.Fault != faultUnreadable && !unsearched {
		b.Relation, _ = backup.Compare(ctx, b.Path, b.Original, whole)
	}
	return ctx.Err()
}

const faultUnreadable = "unreadable"

// faultOf returns the fault at the end of a backup file. It returns "" if there is no fault, or if the file was just
// discarded.
func faultOf(b *sessions.Row) string {
	if b.State == sessions.StateUnreadable {
		return faultUnreadable
	}
	switch torn, err := backup.TornTail(b.Path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return faultUnreadable
	case torn:
		return "torn last line"
	}
	return ""
}

// comparison is the cached result of comparing a backup with its original, and the state of both files.
type comparison struct {
	copied, live likeness
	original     string
	relation     sessions.Relation
	fault        string
	unsearched   bool
	failed       bool // a file could not be read, so the relation is unknown
}

func (k *comparison) ofSame(b, live *sessions.Row, unsearched bool) bool {
	return k.copied == likenessOf(b) && k.live == likenessOf(live) && k.original == live.Path && k.unsearched == unsearched
}

// unsearched returns the value of Row.Unsearched for a backup. live is the row of its transcript, or the zero row if
// there is none.
func (c *Catalog) unsearched(b, live *sessions.Row) bool {
	return b.Of != "" && live.Path == "" && c.unlisted.Load()
}

// likeness identifies the state of a file. It is used to find out whether the file has changed.
type likeness struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

func likenessOf(r *sessions.Row) likeness { return likeness{r.Bytes, r.Modified.UnixNano()} }

// compare sets Original, Relation and Fault of a backup. live is the row of its transcript, or the zero row if there is
// none. compare doesn't read unchanged files again, except after an error if retry is true. If a disk hangs, compare
// waits for memoryLimit, but only the first time. The error is ctx.Err().
func (c *Catalog) compare(ctx context.Context, b, live *sessions.Row, retry bool) error {
	b.Original, b.OfTitle = original(live)
	b.Unsearched = c.unsearched(b, live)
	c.mu.Lock()
	k, ok := c.compared[b.Path]
	c.mu.Unlock()
	if ok && k.ofSame(b, live, b.Unsearched) && (!retry || !k.failed) {
		b.Relation, b.Fault = k.relation, k.fault
		return ctx.Err()
	}
	c.compares.Add(1)
	row := *b
	now, err := within(ctx, c, filepath.Dir(b.Path), memoryLimit, func(ctx context.Context) sessions.Row {
		_ = Compare(ctx, &row, false) // the error is checked below
		return row
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if b.Relation, b.Fault = now.Relation, now.Fault; err != nil {
		b.Relation = "" // the disk doesn't respond
	}
	k = comparison{likenessOf(b), likenessOf(live), live.Path, b.Relation, b.Fault, b.Unsearched, b.Relation == "" && b.Of != ""}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compared == nil {
		c.compared = map[string]comparison{}
	}
	c.compared[b.Path] = k
	return nil
}

// known reports whether the current states of a backup and its transcript were compared.
func (c *Catalog) known(b, live *sessions.Row) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.compared[b.Path]
	path, title := original(live)
	return ok && k.ofSame(b, live, c.unsearched(b, live)) && b.Original == path && b.OfTitle == title && b.Relation == k.relation && b.Fault == k.fault
}

// compareAll compares the backups among the rows. The error is ctx.Err().
func (c *Catalog) compareAll(ctx context.Context, rows []sessions.Row, from originals) error {
	for i := range rows {
		if r := &rows[i]; r.Kind == sessions.KindBackup {
			if err := c.compare(ctx, r, from.of(r), true); err != nil {
				return err
			}
		}
	}
	return nil
}

// seen returns the paths of the backups that were opened in continuo.
func (c *Catalog) seen() map[string]bool {
	if c.opts.Seen == nil {
		return nil
	}
	return c.opts.Seen()
}
