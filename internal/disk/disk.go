// Package disk writes files below one directory so that they last: whole or not at all, by one writer at a time, and
// never through a link that leads out of it. It knows nothing of what is in the files.
//
// A writer may be killed at any byte. What it leaves then is a file in the making (Temp), which the next writer of that
// directory knows by the lock that nobody holds any more, and takes away.
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

// ErrNotRegular says that something other than a regular file has the name of one: a link, a pipe, a directory.
var ErrNotRegular = errors.New("not a regular file")

// Root is an open directory. Every name is below it, and errors name what is below it: Cause takes that off. It is safe
// for concurrent use.
type Root struct {
	// Step is asked before each step of a write whether it fails there, and may end the process: drills set it, else it
	// is nil. The steps are "create", "write", "sync", "rename", "remove" and "sync directory", each with the name it is
	// about.
	Step func(step, name string) error

	root *os.Root
	path string

	mu    sync.Mutex
	swept map[string]bool // directories, by this Root
}

// Open opens a directory. A link that is it is followed. Errors are those of the system.
func Open(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{root: root, path: dir, swept: map[string]bool{}}, nil
}

// Make is Open of a directory that is made before, with those above it, where it is missing. The umask takes its part of
// the mode.
func Make(dir string, mode fs.FileMode) (*Root, error) {
	if err := os.MkdirAll(dir, mode); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Close gives the directory back.
func (r *Root) Close() error { return r.root.Close() }

// Path is the directory as Open was given it.
func (r *Root) Path() string { return r.path }

// At is the whole path of a name.
func (r *Root) At(name string) string { return filepath.Join(r.path, name) }

// Lstat looks at a name, and follows no link that has it.
func (r *Root) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

// Stat looks at what a name leads to.
func (r *Root) Stat(name string) (fs.FileInfo, error) { return r.root.Stat(name) }

// Open opens a file or a directory for reading, and waits for nobody who writes to a pipe. The caller sees to it that it
// is what he wants.
func (r *Root) Open(name string) (*os.File, error) {
	return r.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
}

// Names lists a directory in order. Names that were read before an error come with it.
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

// Writable says why a file cannot be written to in place, which renaming another one over it would not ask: nil when
// it can. Nobody may write to one without any write bit, not even root.
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

// Mkdir makes a directory. The error of one that is there is fs.ErrExist.
func (r *Root) Mkdir(name string, mode fs.FileMode) error { return r.root.Mkdir(name, mode) }

// MkdirAll makes a directory with those above it, and is content with what is there.
func (r *Root) MkdirAll(name string, mode fs.FileMode) error { return r.root.MkdirAll(name, mode) }

// Chmod gives a file another mode.
func (r *Root) Chmod(name string, mode fs.FileMode) error { return r.root.Chmod(name, mode) }

// SetTime gives a file another time.
func (r *Root) SetTime(name string, modified time.Time) error {
	return r.root.Chtimes(name, time.Time{}, modified)
}

// Remove removes a file, a link or an empty directory.
func (r *Root) Remove(name string) error {
	if err := r.step("remove", name); err != nil {
		return err
	}
	return r.root.Remove(name)
}

// Rename gives a file another name, whatever has that.
func (r *Root) Rename(from, to string) error { return r.root.Rename(from, to) }

// Link gives a file a second name. The error is fs.ErrExist where that is taken, and another one where the file system
// has no links.
func (r *Root) Link(from, to string) error { return r.root.Link(from, to) }

// Move is Rename to a name that nothing has, else the error is fs.ErrExist. The caller holds a lock: where the file system
// has no links it takes two steps.
func (r *Root) Move(from, to string) error {
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
	if err == nil {
		_ = r.root.Remove(from) // it has its name; a second one does no harm
	}
	return err
}

// Take removes a file so that of two who want it only one has no error: it loses its name first. Who is killed then has
// taken it.
func (r *Root) Take(name string) error {
	taken := filepath.Join(filepath.Dir(name), tempName())
	if err := r.root.Rename(name, taken); err != nil {
		return err
	}
	_ = r.Remove(taken) // it is swept else
	return nil
}

// SyncDir makes the names in a directory last. Not every system can, and then it does nothing.
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

// IsAbsent reports that nothing has the path, as below a file that has the name of a directory.
func IsAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Cause takes the name off an error of the system: who reports it names the whole path.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
