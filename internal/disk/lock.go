package disk

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
)

// ErrLocked says that another program holds a lock and does not go on.
var ErrLocked = errors.New("locked by another program")

const (
	// LockLimit is how long a lock is waited for: who holds it needs some milliseconds, one who is stopped all day.
	LockLimit = 2 * time.Second
	// handOvers is how often the limit begins anew while the lock goes from hand to hand.
	handOvers = 5

	lockMode   = 0o600
	lockSuffix = ".lock"
)

// Lock keeps others who take it out until unlock. Its file is made where it is missing, and has to be a regular one, as
// no link may lead the lock out. A name that ends in .lock is that of a lock alone; any other is that of a file that is
// written, which is the last thing to be done under the lock. "." is the directory itself, so that nothing of the lock lies around where the system can do that, and where a file
// system knows no locks one goes on without.
//
// The error is ErrLocked when nobody gives it back within LockLimit, or too many want it for five times that; that of
// ctx; or that of the system.
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

// lockHeld is since when who has the lock has it, by the clock of the file system.
func (r *Root) lockHeld(name string) time.Time {
	fi, err := r.root.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return time.Time{}
	}
	return fi.ModTime()
}

// waitForLock waits as long as it takes. The file is looked at again afterwards: who cleans up may have removed it, and
// who writes it replaced it, and then the next one locks another.
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
				tellHeld(f, fi.Size())
			}
			return unlock, nil
		}
		unlock()
	}
}

// tellHeld tells lockHeld. A file with anything else in it is somebody's: then who waits does so only once.
func tellHeld(f *os.File, size int64) {
	var text [1]byte
	n, _ := f.ReadAt(text[:], 0)
	if size == 0 || size == 1 && n == 1 && text[0] == '\n' {
		_, _ = f.WriteAt([]byte{'\n'}, 0)
	}
}
