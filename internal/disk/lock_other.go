//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package disk

import (
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// selfLock is the lock file of a directory. These systems can't lock the directory itself.
const selfLock = ".continuo.lock"

// lockFile returns the name of the file that Lock locks. A data file needs a separate file, because a locked file
// can't be read or replaced.
func lockFile(name string) string {
	if strings.HasSuffix(name, lockSuffix) {
		return name
	}
	return name + lockSuffix
}

// hold waits for the lock of a file. unlock closes the file.
func hold(f *os.File) (unlock func(), err error) {
	release, err := lockedfile.MutexAt(f.Name()).Lock()
	if err != nil {
		return nil, err
	}
	return func() { release(); _ = f.Close() }, nil
}

// tryHold works like hold, but waits for 20 ms only. The error is ErrLocked if another process has the lock.
func tryHold(f *os.File) (unlock func(), err error) {
	const wait = 20 * time.Millisecond
	got, given := make(chan func(), 1), time.NewTimer(wait)
	defer given.Stop()
	go func() {
		if unlock, err := hold(f); err == nil {
			got <- unlock
		}
	}()
	select {
	case unlock := <-got:
		return unlock, nil
	case <-given.C:
		go func() { (<-got)() }()
		return nil, ErrLocked
	}
}

// lockSelf waits for the lock of the root directory. The lock file isn't deleted, because other processes may wait
// for it.
func (r *Root) lockSelf() (unlock func(), err error) {
	return lockedfile.MutexAt(r.At(selfLock)).Lock()
}

// claim always succeeds. On these systems, age decides whether a temporary file is abandoned.
func (r *Root) claim(*os.File, string) bool { return true }

// lives always returns false for known.
func (r *Root) lives(string) (alive, known bool, release func()) { return false, false, func() {} }
