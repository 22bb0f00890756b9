//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lockFile returns the name of the file that Lock locks for a name.
func lockFile(name string) string { return name }

// hold waits for the lock of a file. unlock closes the file.
func hold(f *os.File) (unlock func(), err error) {
	if err := flock(f, syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// tryHold works like hold, but doesn't wait. The error is ErrLocked if another process has the lock.
func tryHold(f *os.File) (unlock func(), err error) {
	switch err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, ErrLocked
	case err != nil:
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

// lockSelf waits for the lock of the root directory.
func (r *Root) lockSelf() (unlock func(), err error) {
	dir, err := r.root.Open(".")
	if err != nil {
		return nil, err
	}
	_ = flock(dir, syscall.LOCK_EX) // the file system may have no locks
	return func() { _ = dir.Close() }, nil
}

// claim locks a file or directory that was just created. It returns false if a sweep of another process was faster.
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

// lives reports whether the writer of a temporary file is running (alive). known is false if the lock can't be
// tested. If the writer isn't running, the caller has the lock until it calls release.
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
