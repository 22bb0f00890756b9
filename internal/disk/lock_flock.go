//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lockFile is the file that has the lock of a file.
func lockFile(name string) string { return name }

// hold waits for the lock of a file, which belongs to it from then on.
func hold(f *os.File) (unlock func(), err error) {
	if err := flock(f, syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// lockSelf waits for the lock of the directory itself.
func (r *Root) lockSelf() (unlock func(), err error) {
	dir, err := r.root.Open(".")
	if err != nil {
		return nil, err
	}
	_ = flock(dir, syscall.LOCK_EX) // where the file system knows none, one goes on
	return func() { _ = dir.Close() }, nil
}

// claim takes the lock of a file that was just made, or of a directory. It is false when a sweeper was quicker. Where the
// file system knows no locks, its age tells that it lives.
func (r *Root) claim(f *os.File, name string) bool {
	if errors.Is(flock(f, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return false
	}
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := r.root.Lstat(name)
	return err == nil && os.SameFile(mine, now)
}

// lives reports whether the writer of a file in the making holds its lock, and known whether that can be told. As long
// as release was not called, nobody else takes it for his.
func (r *Root) lives(name string) (alive, known bool, release func()) {
	f, err := r.Open(name)
	if err != nil {
		return false, false, func() {}
	}
	release = func() { _ = f.Close() }
	switch err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return true, true, release
	case err != nil:
		return false, false, release
	}
	return false, true, release
}
