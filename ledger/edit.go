package ledger

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// lockLimit is how long the lock of a ledger is waited for. Who holds it needs some milliseconds.
	lockLimit = 2 * time.Second

	tempPrefix = ".continuo-" // of files in the making
	tempSuffix = ".tmp"
	// tempAge is after what time a file in the making is taken for one whose writer was killed.
	tempAge = 24 * time.Hour

	newFile = fs.FileMode(0o644) // as git has the files of a project; the umask takes its part
	newDir  = fs.FileMode(0o755)
)

// errOwned says that putting a new file in its place would take it from its owner.
var errOwned = errors.New("it belongs to another user")

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
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	r, err := os.OpenRoot(base)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	defer r.Close()
	unlock, err := lock(ctx, r)
	if err != nil {
		return fmt.Errorf("lock %s: %w", root, cause(err))
	}
	defer unlock()
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
		return fmt.Errorf("write %s: %w", path, cause(err))
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
	root   *os.Root
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
	temp, made, err := e.draft(now, fi)
	if err != nil {
		return err
	}
	e.sweep(made)
	if err := e.put(ctx, temp, was, fi); err != nil {
		_ = e.root.Remove(temp) // it was never in its place
		return err
	}
	return e.sync()
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
	if fi.Mode().Perm()&0o222 == 0 {
		return fs.ErrPermission
	}
	f, err := e.root.OpenFile(e.rel, os.O_WRONLY|nonblock, 0)
	if isAbsent(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// draft writes the text beside where it belongs, with the mode and the owner of the file that is there, and makes it
// last. made is when, by the clock of the file system.
func (e *editor) draft(text []byte, like fs.FileInfo) (temp string, made time.Time, err error) {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	temp = filepath.Join(filepath.Dir(e.rel), tempPrefix+hex.EncodeToString(random[:])+tempSuffix)
	if err := e.step("create"); err != nil {
		return "", made, err
	}
	mode := newFile
	if like != nil {
		mode = like.Mode().Perm()
	}
	f, err := e.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", made, err
	}
	made, err = e.fill(f, text, like)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = e.root.Remove(temp)
		return "", made, err
	}
	return temp, made, nil
}

func (e *editor) fill(f *os.File, text []byte, like fs.FileInfo) (made time.Time, err error) {
	if like != nil {
		if err := own(f, like); err != nil {
			return made, err
		}
		if err := f.Chmod(like.Mode().Perm()); err != nil { // the umask took its part
			return made, err
		}
	}
	if err := e.step("write"); err != nil {
		return made, err
	}
	if _, err := f.Write(text); err != nil {
		return made, err
	}
	if err := e.step("sync"); err != nil {
		return made, err
	}
	if err := f.Sync(); err != nil {
		return made, err
	}
	fi, err := f.Stat()
	if err != nil {
		return made, err
	}
	return fi.ModTime(), nil
}

// put gives the draft its name, if what was read is still there. Nothing between the two is asked of the disk but the
// comparison, so that who writes without our lock has a fraction of a millisecond to lose.
func (e *editor) put(ctx context.Context, temp string, was []byte, fi fs.FileInfo) error {
	if err := e.step("compare"); err != nil {
		return err
	}
	if fi == nil {
		return e.publish(temp)
	}
	if err := e.unchanged(ctx, was, fi); err != nil {
		return err
	}
	if err := e.step("rename"); err != nil {
		return err
	}
	return e.root.Rename(temp, e.rel)
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
		err = e.step("remove")
	}
	if err == nil {
		err = e.root.Remove(e.rel)
	}
	if err != nil {
		return err
	}
	return e.sync()
}

// publish gives the draft of a new file its name, but never over one that appeared. Not every file system can link.
func (e *editor) publish(temp string) error {
	if err := e.step("rename"); err != nil {
		return err
	}
	err := e.root.Link(temp, e.rel)
	if err == nil {
		_ = e.root.Remove(temp) // it has its name; a second one does no harm, and is swept
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return errChanged
	}
	if _, there := e.root.Lstat(e.rel); !isAbsent(there) {
		return errChanged
	}
	return e.root.Rename(temp, e.rel)
}

// sync makes the new name last. Not every system can.
func (e *editor) sync() error {
	if err := e.step("sync directory"); err != nil {
		return err
	}
	f, err := e.root.Open(filepath.Dir(e.rel))
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// sweep removes files in the making beside this one whose writers were killed.
func (e *editor) sweep(now time.Time) {
	dir, err := e.root.Open(filepath.Dir(e.rel))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // those that it has
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		path := filepath.Join(filepath.Dir(e.rel), name)
		if fi, err := e.root.Lstat(path); err == nil && fi.Mode().IsRegular() && now.Sub(fi.ModTime()) > tempAge {
			_ = e.root.Remove(path) // the next one tries again
		}
	}
}

// isTemp reports whether a name is that of a file in the making.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix) && len(name) == len(tempPrefix)+16+len(tempSuffix)
}
