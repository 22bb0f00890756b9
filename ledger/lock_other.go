//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package ledger

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lock keeps other writers of continuo out of a project until unlock, for lockLimit at most, then ErrBusy. The lock is on
// a file that stays: who waits for it has it open.
func lock(ctx context.Context, r *os.Root) (unlock func(), err error) {
	const name = ".continuo.lock"
	type answer struct {
		release func()
		err     error
	}
	got, given := make(chan answer), make(chan struct{})
	defer close(given)
	go func() {
		var a answer
		a.release, a.err = lockedfile.MutexAt(filepath.Join(r.Name(), name)).Lock()
		select {
		case got <- a:
		case <-given:
			if a.err == nil {
				a.release()
			}
		}
	}()
	limit := time.NewTimer(lockLimit)
	defer limit.Stop()
	select {
	case a := <-got:
		if a.err != nil {
			return nil, a.err
		}
		return a.release, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, ErrBusy
	}
}
