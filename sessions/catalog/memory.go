package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
)

const (
	memoryLimit = time.Second // time limit for the memory of one project, which may be on a dead mount
	// documentsLimit is the time limit for the documents of one memory. Reading 10,000 uncached documents takes about
	// a second.
	documentsLimit = 3 * time.Second
	memoryGrace    = 50 * time.Millisecond // a result that is so late is still accepted
	memoryWorkers  = 8
)

// memoryDirs lists the directories that may have a memory.
type memoryDirs struct {
	dirs    []string
	project map[string]string // directory → root of its project; "" if unknown
	ids     map[string]bool   // IDs of the sessions
}

func memoryDirsOf(list []sessions.Session) *memoryDirs {
	w := newMemoryDirs()
	for i := range list {
		w.session(&list[i])
	}
	return w
}

func newMemoryDirs() *memoryDirs {
	return &memoryDirs{project: map[string]string{}, ids: map[string]bool{}}
}

func (w *memoryDirs) session(ses *sessions.Session) {
	w.add(ses.Workdir, ses.Project)
	w.add(ses.Project, ses.Project)
	w.ids[ses.ID] = true
}

func (w *memoryDirs) add(dir, project string) {
	if strings.HasPrefix(dir, `\\`) {
		return // a UNC path: opening it would send the user's name to the server
	}
	if _, ok := w.project[dir]; !ok && filepath.IsAbs(dir) {
		w.project[dir] = project
		w.dirs = append(w.dirs, dir)
	}
}

// others lists the backups and documents of all projects and workdirs, of the current directory and of Options.Also.
// It also returns facts about the backups. It panics with the first *sessions.PanicError of its goroutines.
func (c *Catalog) others(ctx context.Context, set *sessions.Set, w *memoryDirs) ([]sessions.Row, *backupFacts, []error) {
	if c.opts.Cwd != "" {
		here := sessions.Session{Workdir: c.opts.Cwd}
		set.Settle(ctx, &here)
		w.add(here.Workdir, here.Project)
	}
	for _, dir := range c.opts.Also {
		w.add(dir, "")
	}
	var mu sync.Mutex
	var rows []sessions.Row
	var problems []error
	made := newBackupFacts(c.opts.Now)
	var bug atomic.Pointer[sessions.PanicError]
	seen := map[string]bool{}
	slots := make(chan struct{}, memoryWorkers)
	var wg sync.WaitGroup
	for _, dir := range w.dirs {
		slots <- struct{}{}
		look := func() {
			found, documents, err := c.memory(ctx, dir)
			project := w.project[dir]
			if project == "" && found.any() {
				ses := sessions.Session{Workdir: dir}
				set.Settle(ctx, &ses)
				project = ses.Project
			}
			if dir == c.opts.Home || !found.Since.IsZero() && c.opts.Kept != nil && !c.opts.Kept(dir) {
				found.Since = time.Time{} // no hook runs there; in the home directory, .claude is the config dir of Claude Code
			}
			mu.Lock()
			defer mu.Unlock()
			made.undocumented[dir] = documents != nil
			for _, err := range append([]error{err, documents}, found.Problems...) {
				if err != nil {
					problems = append(problems, &MemoryError{Dir: dir, Project: project, Err: err})
				}
			}
			made.Add(dir, &found.Found, err)
			for _, r := range memoryRows(found, project, c.opts.Now()) {
				if !seen[r.Path] {
					seen[r.Path] = true
					rows = append(rows, r)
				}
			}
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if p := sessions.Catch(look); p != nil {
				bug.CompareAndSwap(nil, p)
			}
		})
	}
	wg.Wait()
	if p := bug.Load(); p != nil {
		panic(p)
	}
	for i := range rows {
		if of := rows[i].Of; of != "" && !w.ids[of] {
			if rows[i].Unsearched = c.unlisted.Load(); !rows[i].Unsearched {
				rows[i].Flags = append(rows[i].Flags, sessions.FlagBackupOnly)
			}
		}
	}
	sortRows(rows)
	return rows, made, problems
}

// dirContents is the contents of one directory.
type dirContents struct {
	backup.Found
	snapshot *sessions.Row // nil if there is none
}

// any reports whether there are backups, documents or a snapshot.
func (k *dirContents) any() bool { return len(k.Backups)+len(k.Documents) > 0 || k.snapshot != nil }

// memory reads the memory and the snapshot of one directory, within memoryLimit and documentsLimit. err is the error
// of the backups, documents that of the snapshot or the documents.
func (c *Catalog) memory(ctx context.Context, dir string) (found dirContents, documents, err error) {
	type answer struct {
		found backup.Found
		err   error
	}
	look := func(limit time.Duration, find func(context.Context, string, *time.Location) (backup.Found, error)) (backup.Found, error) {
		a, err := within(ctx, c, dir, limit, func(ctx context.Context) answer {
			found, err := find(ctx, dir, c.opts.Zone)
			return answer{found, err}
		})
		switch {
		case err != nil:
		case errors.Is(a.err, context.DeadlineExceeded) && ctx.Err() == nil:
			err = lateError(limit)
		default:
			err = a.err
		}
		return a.found, err
	}
	if found.Found, err = look(memoryLimit, backup.FindBackups); err != nil {
		return found, nil, fmt.Errorf("memory of %s: %w", dir, err)
	}
	found.snapshot, documents = within(ctx, c, dir, memoryLimit, func(ctx context.Context) *sessions.Row { return c.snapshotRow(ctx, dir) })
	if documents != nil {
		return found, fmt.Errorf("snapshot of %s: %w", dir, documents), nil
	}
	texts, documents := look(c.documentsLimit, backup.FindDocuments)
	found.Documents, found.Problems = texts.Documents, append(found.Problems, texts.Problems...)
	if documents != nil {
		documents = fmt.Errorf("documents of %s: %w", dir, documents)
	}
	return found, documents, nil
}

// MemoryError is returned if a folder's memory, or a file in it, can't be read.
type MemoryError struct {
	Dir     string // the folder with the memory
	Project string // root of its project; "" if unknown
	Err     error
}

// Error implements error.
func (e *MemoryError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *MemoryError) Unwrap() error { return e.Err }

// lateError is returned for a disk that didn't respond in time.
type lateError time.Duration

// Error implements error.
func (e lateError) Error() string { return "took longer than " + seconds(time.Duration(e)) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', 3, 64) + " s" }

// errHangs is returned for a directory whose disk still hasn't responded.
var errHangs = errors.New("the disk does not respond")

// within calls ask and waits for its result, but not longer than limit. After a timeout, calls for the same directory
// return errHangs until ask returns, because each would block another thread. A panic of ask before the limit becomes
// a panic with a *sessions.PanicError.
func within[T any](ctx context.Context, c *Catalog, dir string, limit time.Duration, ask func(context.Context) T) (T, error) {
	var none T
	c.mu.Lock()
	hangs := c.hanging[dir]
	c.mu.Unlock()
	if hangs {
		return none, errHangs
	}
	type answer struct {
		value T
		bug   *sessions.PanicError
	}
	done, answered := make(chan answer, 1), false
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go func() {
		var a answer
		a.bug = sessions.Catch(func() { a.value = ask(limited) })
		c.mu.Lock()
		answered = true
		delete(c.hanging, dir)
		c.mu.Unlock()
		done <- a
	}()
	take := func(a answer) (T, error) {
		if a.bug != nil {
			panic(a.bug)
		}
		return a.value, nil
	}
	select {
	case a := <-done:
		return take(a)
	case <-limited.Done():
	}
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	select { // accept a result that is a moment late
	case a := <-done:
		return take(a)
	case <-time.After(memoryGrace):
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !answered {
		c.hanging[dir] = true
	}
	return none, lateError(limit)
}

// memoryRows returns the rows of backups and documents. Implausible creation times become zero.
func memoryRows(found dirContents, project string, now time.Time) []sessions.Row {
	var out []sessions.Row
	for i := range found.Backups {
		out = append(out, backupRow(&found.Backups[i], project))
	}
	for i := range found.Documents {
		out = append(out, documentRow(&found.Documents[i], project))
	}
	if found.snapshot != nil {
		r := *found.snapshot
		r.Project = project
		out = append(out, r)
	}
	for i := range out {
		out[i].Created = sessions.Plausible(out[i].Created, now)
	}
	return out
}

func backupRow(b *backup.Backup, project string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindBackup, Pending: b.Pending}
	r.Path, r.ID = b.Path, strings.TrimSuffix(filepath.Base(b.Path), ".jsonl")
	r.Project, r.Workdir, r.Name = project, b.Project, b.Reason
	r.Created, r.Modified, r.Bytes = b.Made, b.Modified, b.Bytes
	r.State, r.Models, r.Of = sessions.StateOK, []string{}, b.SessionID
	if b.Problem != "" {
		r.State, r.Reason, r.Exact = sessions.StateUnreadable, b.Problem, true
	}
	return r
}

func documentRow(d *document.Document, project string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindDocument}
	r.Path, r.ID = d.Path, strings.TrimSuffix(filepath.Base(d.Path), ".md")
	r.Project, r.Workdir, r.Name, r.Branch = project, d.Project, d.Title, d.Branch
	r.Prompt, r.Status, r.Tags = d.Summary, d.Status, d.Tags
	r.Called, r.Previous, r.Todos, r.Next, r.Malformed = d.ProjectName, d.Previous, d.Todos, d.Next, d.Malformed
	r.Created, r.Modified, r.Bytes = d.Date, d.Modified, d.Bytes
	r.State, r.Models, r.Reason, r.Exact = sessions.StateOK, []string{}, d.Problem, true
	return r
}

// exactBackups returns the backups with exact figures, and the paths of deleted ones. Values from markers and file
// names stay. The error is ctx.Err().
func (c *Catalog) exactBackups(ctx context.Context, rows []sessions.Row, n notes) (out []sessions.Row, gone []string, err error) {
	scanner := sessions.NewScanner(c.cache(), c.opts.Now())
	out = make([]sessions.Row, 0, len(rows))
	for _, row := range rows {
		out = append(out, row)
		r := &out[len(out)-1]
		if r.Kind != sessions.KindBackup || r.Exact {
			continue
		}
		ses := scanner.Read(ctx, r.Path)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if _, err := os.Lstat(r.Path); ses.State == sessions.StateUnreadable && errors.Is(err, fs.ErrNotExist) {
			out, gone = out[:len(out)-1], append(gone, r.Path)
			continue
		}
		r.Saved = c.saved(r, ses, n)
		ses.ID, ses.Project, ses.Workdir, ses.Created, ses.Flags = r.ID, r.Project, r.Workdir, r.Created, r.Flags
		if ses.Name == "" {
			ses.Name = r.Name // the reason of the backup
		}
		r.Session = ses
	}
	return out, gone, nil
}

// saved returns a row for the session in a backup. It is nil if the session is unknown or the copy unreadable. ses
// has the exact figures of the backup.
func (c *Catalog) saved(b *sessions.Row, ses sessions.Session, n notes) *sessions.Row {
	if b.Of == "" || ses.State == sessions.StateUnreadable {
		return nil
	}
	ses.Path, ses.ID, ses.Project = "", b.Of, b.Project
	if ses.Dir = sessions.ConfigDirFor(c.opts.Dirs, ses.Workdir); ses.Dir != "" && filepath.IsAbs(ses.Workdir) && sessions.IsUUID(b.Of) {
		ses.Path = filepath.Join(ses.Dir, "projects", sessions.Slug(ses.Workdir), b.Of+".jsonl") // as in a restore
	}
	ses.SetFlag(sessions.FlagNotResumable, false) // this flag is about the file name of the backup
	ses.SetFlag(sessions.FlagBackupOnly, true)
	row := n.row(&ses)
	return &row
}
