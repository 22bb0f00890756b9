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

// The functions below set the fields of a backup that depend on other files.

// Relate sets Unseen, Original and OfTitle of the backups in rows, from the other rows. It reads no files. seen has
// the paths of the opened backups.
func Relate(rows []sessions.Row, seen map[string]bool) {
	relate(rows, originalsOf(rows), seen, nil)
}

// relate is Relate with the sessions in from. facts may be nil. Backups aren't Unseen if documents of their directory
// are unreadable.
func relate(rows []sessions.Row, from originals, seen map[string]bool, facts *backupFacts) {
	documents := map[string]time.Time{} // directory → time of its newest session document
	for i := range rows {
		if r := &rows[i]; r.IsSessionDocument() && r.When().After(documents[r.Workdir]) {
			documents[r.Workdir] = r.When()
		}
	}
	for i := range rows {
		if r := &rows[i]; r.Kind == sessions.KindBackup {
			r.Unseen = !r.Pending && (facts == nil || !facts.undocumented[r.Workdir]) && (documents[r.Workdir].IsZero() || r.When().After(documents[r.Workdir])) && !seen[r.Path]
			r.Original, r.OfTitle = original(from.of(r))
		}
	}
}

// original returns the path and title of a session. They are "" for the zero row.
func original(live *sessions.Row) (path, title string) {
	if live.Path == "" {
		return "", ""
	}
	return live.Path, live.Title()
}

// originals maps session IDs to the sessions that have a backup.
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

// add adds a session, if it has a backup.
func (o originals) add(r *sessions.Row) {
	if _, ok := o[r.ID]; ok && r.Kind == sessions.KindSession && !r.Deleted {
		o[r.ID] = append(o[r.ID], *r)
	}
}

// of returns the session of a backup, or the zero row. Of several sessions with the ID, it returns the newest in the
// backup's project, otherwise the newest.
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

// Compare sets Relation and Fault of a backup with Original. If whole is true, every byte is compared, otherwise both
// ends. Relation is "" if the transcript is unreadable, or may be in an unreadable directory. The error is ctx.Err().
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

// faultOf returns the defect of a backup file, such as "torn last line", or "". A file that was just discarded has
// none.
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

// comparison is a cached result of Compare, with the states of both files.
type comparison struct {
	copied, live fileState
	original     string
	relation     sessions.Relation
	fault        string
	unsearched   bool
	failed       bool // a file was unreadable, so the relation is unknown
}

func (k *comparison) ofSame(b, live *sessions.Row, unsearched bool) bool {
	return k.copied == fileStateOf(b) && k.live == fileStateOf(live) && k.original == live.Path && k.unsearched == unsearched
}

// unsearched returns Row.Unsearched of a backup. live is the row of its session, or the zero row.
func (c *Catalog) unsearched(b, live *sessions.Row) bool {
	return b.Of != "" && live.Path == "" && c.unlisted.Load()
}

// fileState shows whether a file has changed.
type fileState struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

func fileStateOf(r *sessions.Row) fileState { return fileState{r.Bytes, r.Modified.UnixNano()} }

// compare sets Original, Relation and Fault of a backup. live is the row of its session, or the zero row. Unchanged
// files are compared again only if the last comparison failed and retry is true. If a disk hangs, the first
// comparison waits for memoryLimit. The error is ctx.Err().
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
		_ = Compare(ctx, &row, false) // ctx.Err() is checked below
		return row
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if b.Relation, b.Fault = now.Relation, now.Fault; err != nil {
		b.Relation = "" // the disk doesn't respond
	}
	k = comparison{fileStateOf(b), fileStateOf(live), live.Path, b.Relation, b.Fault, b.Unsearched, b.Relation == "" && b.Of != ""}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compared == nil {
		c.compared = map[string]comparison{}
	}
	c.compared[b.Path] = k
	return nil
}

// known reports whether b is the result for the current backup and transcript.
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

func (c *Catalog) seen() map[string]bool {
	if c.opts.Seen == nil {
		return nil
	}
	return c.opts.Seen()
}
