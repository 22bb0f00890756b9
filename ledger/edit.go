package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/disk"
)

const (
	newFile = fs.FileMode(0o644) // as git has the files of a project; the umask takes its part
	newDir  = fs.FileMode(0o755)
)

// Edit changes a file below a root as a whole: it takes the lock of the project's ledger, reads the file (nil where there
// is none), asks for the new text, and puts that in its place with its mode and owner kept: a crash at any byte leaves
// the one or the other. It asks again when somebody else wrote in between, three times at most, then ErrBusy. change
// returns the same text when there is nothing to do, and nil when the file is to go.
//
// A link is written at its target. Missing directories are made. Errors are those of ReadText, ErrReserved, fs.ErrPermission for a
// file or a directory that is read-only, and that of change as it is; after any of them the old text is in its place.
func Edit(ctx context.Context, root, path string, limit int64, change func(was []byte) (now []byte, err error)) error {
	return edit(ctx, root, path, limit, change, func(string) error { return nil })
}

// edit is Edit, and asks before each step whether it fails there.
func edit(ctx context.Context, root, path string, limit int64, change func([]byte) ([]byte, error), step func(string) error) error {
	base, rel, err := resolveNew(root, path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, disk.Cause(err))
	}
	r, unlock, err := openLocked(ctx, root, base)
	if err != nil {
		return err
	}
	defer unlock()
	r.Step = func(name, _ string) error { return step(name) }
	e := editor{root: r, rel: rel, limit: limit, change: change, step: step}
	for range attempts {
		if err = e.once(ctx); !errors.Is(err, errChanged) {
			break
		}
		if err = wait(ctx, pause); err != nil {
			break
		}
		err = ErrBusy
	}
	if theirs, ok := errors.AsType[*changeError](err); ok {
		return theirs.err
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, disk.Cause(err))
	}
	return nil
}

// errChanged says that the file is another one than was read.
var errChanged = errors.New("changed meanwhile")

// changeError is an error of who changes.
type changeError struct{ err error }

func (e *changeError) Error() string { return e.err.Error() }

// editor is one change of one file. It holds the lock.
type editor struct {
	root   *disk.Root
	rel    string
	limit  int64
	change func([]byte) ([]byte, error)
	step   func(string) error
}

// once changes the file if it stays what it is until then, else errChanged.
func (e *editor) once(ctx context.Context) error {
	was, fi, err := e.read(ctx)
	if err != nil {
		return err
	}
	now, err := e.change(bytes.Clone(was))
	switch {
	case err != nil:
		return &changeError{err}
	case now == nil && fi != nil:
		return e.remove(ctx, was, fi)
	case bytes.Equal(now, was) && (fi != nil || now == nil): // a file of no byte is one
		return nil
	case int64(len(now)) > e.limit:
		return ErrTooLong
	case !isText(now):
		return ErrNotText
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if fi != nil {
		err = e.mayWrite(fi)
	} else {
		err = e.root.MkdirAll(filepath.Dir(e.rel), newDir)
	}
	if err != nil {
		return err
	}
	temp, err := e.draft(now, fi)
	if err != nil {
		return err
	}
	defer temp.Drop()
	if err := e.put(ctx, temp, was, fi); err != nil {
		return err
	}
	return e.root.SyncDir(filepath.Dir(e.rel))
}

// read is the text that is there; nil and no info where there is none.
func (e *editor) read(ctx context.Context) ([]byte, fs.FileInfo, error) {
	if err := e.step("read"); err != nil {
		return nil, nil, err
	}
	text, fi, err := readIn(ctx, e.root, e.rel, e.limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil && !isText(text) {
		err = ErrNotText
	}
	return text, fi, err
}

// mayWrite reports whether the file could be written in place: a rename would not ask.
func (e *editor) mayWrite(fi fs.FileInfo) error {
	err := e.root.Writable(e.rel, fi)
	if disk.IsAbsent(err) {
		return errChanged
	}
	return err
}

// draft writes the text beside where it belongs, with the mode and the owner of the file that is there, and makes it
// last. A project's git does not see it.
func (e *editor) draft(text []byte, like fs.FileInfo) (temp *disk.Temp, err error) {
	mode := newFile
	if like != nil {
		mode = like.Mode().Perm()
	}
	if temp, err = e.root.CreateHidden(filepath.Dir(e.rel), mode); err != nil {
		return nil, err
	}
	if like != nil {
		err = temp.Own(like)
	}
	if err == nil {
		_, err = temp.Write(text)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err != nil {
		temp.Drop()
		return nil, err
	}
	return temp, nil
}

// put gives the draft its name, if what was read is still there. Nothing between the two is asked of the disk but the
// comparison, so that who writes without our lock has a fraction of a millisecond to lose.
func (e *editor) put(ctx context.Context, temp *disk.Temp, was []byte, fi fs.FileInfo) error {
	if err := e.step("compare"); err != nil {
		return err
	}
	if fi == nil {
		err := temp.Publish(e.rel)
		if errors.Is(err, fs.ErrExist) {
			return errChanged
		}
		return err
	}
	if err := e.unchanged(ctx, was, fi); err != nil {
		return err
	}
	return temp.Replace(e.rel)
}

// unchanged is errChanged where the file is another one than was read.
func (e *editor) unchanged(ctx context.Context, was []byte, fi fs.FileInfo) error {
	now, after, err := e.read(ctx)
	if err != nil {
		return err
	}
	if after == nil || !os.SameFile(fi, after) || fi.Mode() != after.Mode() || !bytes.Equal(was, now) {
		return errChanged
	}
	return nil
}

// remove takes the file away, if what was read is still there.
func (e *editor) remove(ctx context.Context, was []byte, fi fs.FileInfo) error {
	err := e.mayWrite(fi)
	if err == nil {
		err = e.step("compare")
	}
	if err == nil {
		err = e.unchanged(ctx, was, fi)
	}
	if err == nil {
		err = e.root.Remove(e.rel)
	}
	if err != nil {
		return err
	}
	return e.root.SyncDir(filepath.Dir(e.rel))
}
