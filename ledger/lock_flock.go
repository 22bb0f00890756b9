//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package ledger

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// lock keeps other writers of continuo out of a project until unlock, for lockLimit at most, then ErrBusy. The lock is on
// the directory itself, so that nothing of it lies around. Where a file system knows none, one goes on without: what is
// written over is compared first.
func lock(ctx context.Context, r *os.Root) (unlock func(), err error) {
	dir, err := r.Open(".")
	if err != nil {
		return nil, err
	}
	const step = 5 * time.Millisecond
	for range int(lockLimit / step) {
		err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return func() { _ = dir.Close() }, nil
		}
		if err := wait(ctx, step); err != nil {
			return nil, errors.Join(err, dir.Close())
		}
	}
	return nil, errors.Join(ErrBusy, dir.Close())
}
