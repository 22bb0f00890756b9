// Package disk writes files below one directory durably. A file is replaced completely or not at all. Locks let one
// process write at a time. No link can lead out of the directory.
//
// A killed writer leaves at most a temporary file (Temp), whose lock is free. The next writer in the directory
// deletes the file.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// ErrNotRegular is returned for a link, a pipe, a directory or another special file.
var ErrNotRegular = errors.New("not a regular file")

// Root is an open directory. All names are relative to it. Errors contain the relative name, which Cause removes. A
// Root is safe for concurrent use.
type Root struct {
	// Step, if set, is called before each step of a write. If Step returns an error, the write fails. Tests use this
	// to fail a write or to kill the process. The steps are "create", "write", "sync", "rename", "unlink", "remove"
	// and "sync directory". name is the file or directory that changes. "unlink" is in the middle of a rename, and its
	// error is ignored.
	Step func(step, name string) error

	root *os.Root
	path string

	mu    sync.Mutex
	swept map[string]bool // directories that this Root has swept
}

// Open opens a directory. dir may be a link to a directory. The error is a system error.
func Open(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{root: root, path: dir, swept: map[string]bool{}}, nil
}

// Make opens a directory. Missing directories are created with the mode less the umask.
func Make(dir string, mode fs.FileMode) (*Root, error) {
	if err := os.MkdirAll(dir, mode); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Close closes the directory.
func (r *Root) Close() error { return r.root.Close() }

// At returns the full path of a name.
func (r *Root) At(name string) string { return filepath.Join(r.path, name) }

// Lstat returns the FileInfo of a name without following a link.
func (r *Root) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

// Stat returns the FileInfo of a name and follows links.
func (r *Root) Stat(name string) (fs.FileInfo, error) { return r.root.Stat(name) }

// Open opens a file or directory of any type for reading. It doesn't block on a pipe.
func (r *Root) Open(name string) (*os.File, error) {
	return r.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
}

// Names returns the sorted names in a directory. With an error, it returns the names that it could read.
func (r *Root) Names(dir string) ([]string, error) {
	f, err := r.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// Writable returns nil if this user may write to the file. Call it before a rename, which could replace a read-only
// file. A file without a write bit is an error even for root.
func (r *Root) Writable(name string, fi fs.FileInfo) error {
	if fi.Mode().Perm()&0o222 == 0 {
		return fs.ErrPermission
	}
	f, err := r.root.OpenFile(name, os.O_WRONLY|nonblock, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// Mkdir creates a directory. The error is fs.ErrExist if the name is taken.
func (r *Root) Mkdir(name string, mode fs.FileMode) error { return r.root.Mkdir(name, mode) }

// MkdirAll creates a directory and its parents. Existing directories are no error.
func (r *Root) MkdirAll(name string, mode fs.FileMode) error { return r.root.MkdirAll(name, mode) }

// Chmod changes the mode of a file.
func (r *Root) Chmod(name string, mode fs.FileMode) error { return r.root.Chmod(name, mode) }

// SetTime changes the modification time of a file.
func (r *Root) SetTime(name string, modified time.Time) error {
	return r.root.Chtimes(name, time.Time{}, modified)
}

// Remove deletes a file, a link or an empty directory.
func (r *Root) Remove(name string) error {
	if err := r.step("remove", name); err != nil {
		return err
	}
	return r.root.Remove(name)
}

// Rename renames a file. If another file has the new name, Rename replaces it.
func (r *Root) Rename(from, to string) error { return r.root.Rename(from, to) }

// Link adds a hard link. If the new name is taken, the error is fs.ErrExist. It is another error if the file system
// has no hard links.
func (r *Root) Link(from, to string) error { return r.root.Link(from, to) }

// Move renames a file, but never over another file. The error is fs.ErrExist if the new name is taken. The caller
// must hold a lock, because the check and the rename may be two steps.
func (r *Root) Move(from, to string) error {
	if err := r.step("rename", to); err != nil {
		return err
	}
	return r.move(from, to)
}

func (r *Root) move(from, to string) error {
	err := r.relink(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	switch _, there := r.root.Lstat(to); {
	case there == nil:
		return fs.ErrExist
	case IsAbsent(there):
		return r.root.Rename(from, to)
	}
	return err
}

func (r *Root) relink(from, to string) error {
	err := r.root.Link(from, to)
	if err == nil && r.step("unlink", from) == nil {
		_ = r.root.Remove(from) // the file then has both names, which does no harm
	}
	return err
}

// Take deletes a file. If two processes take the same file, only one succeeds. If the process is killed after the
// rename, the file counts as taken.
func (r *Root) Take(name string) error {
	taken := filepath.Join(filepath.Dir(name), tempName())
	if err := r.root.Rename(name, taken); err != nil {
		return err
	}
	_ = r.Remove(taken) // if this fails, the next sweep deletes the file
	return nil
}

// SyncDir fsyncs a directory, so that its names survive a power failure. On systems without such an fsync, it does
// nothing.
func (r *Root) SyncDir(dir string) error {
	if err := r.step("sync directory", dir); err != nil {
		return err
	}
	f, err := r.root.Open(dir)
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

func (r *Root) step(step, name string) error {
	if r.Step == nil {
		return nil
	}
	return r.Step(step, name)
}

// IsAbsent reports whether an error means that a path doesn't exist. A parent that is a file counts too.
func IsAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Cause returns a system error without the operation and the relative name.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
