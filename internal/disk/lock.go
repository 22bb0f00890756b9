package disk

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
)

// ErrLocked is returned if other processes keep a lock too long.
var ErrLocked = errors.New("locked by another program")

const (
	// LockLimit is how long Lock waits for one process. Normally, a lock is free after a few milliseconds.
	LockLimit = 2 * time.Second
	// handOvers limits the total wait of Lock to handOvers times LockLimit.
	handOvers = 5

	lockMode   = 0o600
	lockSuffix = ".lock"
)

// Lock locks a file and returns the function that unlocks it. It creates a missing file, and doesn't follow links. A
// name that ends with .lock is a lock file. Any other name is a data file. Replace a data file as the last step,
// because the new file isn't locked. The name "." locks the directory itself. If the file system has no locks, "."
// locks nothing.
//
// The error is ErrLocked if one process keeps the lock for LockLimit, or several processes for five times LockLimit.
// Other errors are ErrNotRegular, ctx.Err() and system errors.
func (r *Root) Lock(ctx context.Context, name string) (unlock func(), err error) {
	type answer struct {
		unlock func()
		err    error
	}
	got, given := make(chan answer), make(chan struct{})
	go func() {
		var a answer
		a.unlock, a.err = r.waitForLock(name)
		select {
		case got <- a:
		case <-given:
			if a.err == nil {
				a.unlock()
			}
		}
	}()
	defer close(given)
	limit := time.NewTicker(LockLimit)
	defer limit.Stop()
	held := r.lockHeld(name)
	for range handOvers {
		select {
		case a := <-got:
			return a.unlock, a.err
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit.C:
		}
		before := held
		if held = r.lockHeld(name); held.Equal(before) {
			break
		}
	}
	return nil, ErrLocked
}

// lockHeld returns when the current owner got the lock, by the clock of the file system.
func (r *Root) lockHeld(name string) time.Time {
	fi, err := r.root.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return time.Time{}
	}
	return fi.ModTime()
}

// waitForLock waits for the lock without a time limit. It starts over if the file was deleted or replaced meanwhile.
func (r *Root) waitForLock(name string) (unlock func(), err error) {
	if name == "." {
		return r.lockSelf()
	}
	name = lockFile(name)
	for {
		if fi, err := r.root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
			return nil, ErrNotRegular
		}
		f, err := r.root.OpenFile(name, os.O_CREATE|os.O_RDWR|nonblock, lockMode)
		if err != nil {
			return nil, err
		}
		fi, err := f.Stat()
		if err == nil {
			unlock, err = hold(f)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if now, err := r.root.Lstat(name); err == nil && os.SameFile(fi, now) {
			if strings.HasSuffix(name, lockSuffix) {
				markHeld(f, fi.Size())
			}
			return unlock, nil
		}
		unlock()
	}
}

// markHeld updates the modification time of a lock file for lockHeld. It doesn't change data files.
func markHeld(f *os.File, size int64) {
	var text [1]byte
	n, _ := f.ReadAt(text[:], 0)
	if size == 0 || size == 1 && n == 1 && text[0] == '\n' {
		_, _ = f.WriteAt([]byte{'\n'}, 0)
	}
}
