package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// memoryResult is the result of a goroutine that searches for backups and documents.
type memoryResult struct {
	batch sessions.Batch
	made  *backupFacts // nil if ctx ended
	began time.Time
	begin bool // the first search, whose rows become the baseline and aren't sent
	bug   *sessions.PanicError
}

// lookForMemory starts a search for backups and documents in a goroutine, because disks may hang. One search runs at
// a time.
func (w *watcher) lookForMemory(ctx context.Context) {
	dirs := newMemoryDirs()
	w.c.base.each(func(row *sessions.Row) {
		if row.Kind == sessions.KindSession {
			dirs.session(&row.Session)
		}
	})
	w.looking, w.again, w.remembered = true, false, time.Now()
	c, set, to, began := w.c, w.set, w.memory, w.remembered
	go func() {
		var look memoryResult
		look.bug = sessions.Catch(func() { look = c.lookForMemory(ctx, set, dirs) })
		look.began = began
		to <- look
	}()
}

func (c *Catalog) lookForMemory(ctx context.Context, set *sessions.Set, dirs *memoryDirs) (look memoryResult) {
	found, made, _ := c.others(ctx, set, dirs) // List reports the errors
	if ctx.Err() != nil {
		return look
	}
	from := c.base.originals(found)
	relate(found, from, c.seen(), made)
	if c.compareAll(ctx, found, from) != nil {
		return look
	}
	if look.made = made; !c.base.listed() {
		look.batch.Rows, look.begin = found, true
		return look
	}
	read, rows, missed := c.base.differing(found)
	notes, _ := c.notes() // a list reports the error
	exact, gone, err := c.exactBackups(ctx, read, notes)
	if err != nil {
		return look
	}
	look.batch.Rows, look.batch.Gone = append(rows, exact...), gone
	for _, path := range missed {
		gone, err := within(ctx, c, filepath.Dir(path), memoryLimit, func(context.Context) bool {
			_, err := os.Lstat(path)
			return errors.Is(err, fs.ErrNotExist)
		})
		if gone && err == nil {
			look.batch.Gone = append(look.batch.Gone, path)
		}
	}
	return look
}

// remember sends the result of a search for backups and documents.
func (w *watcher) remember(ctx context.Context, look memoryResult) bool {
	if look.bug != nil {
		panic(look.bug)
	}
	w.looking = false
	if look.made != nil {
		w.c.reckoned.Store(look.made)
	}
	ok := true
	switch {
	case !look.begin:
		look.batch.Rows = append(look.batch.Rows, w.unsaved(&look)...)
		ok = w.send(ctx, look.batch)
	case !w.c.base.listed():
		w.c.base.others(look.batch.Rows)
	}
	if w.again && ok {
		w.lookForMemory(ctx)
	}
	return ok
}
