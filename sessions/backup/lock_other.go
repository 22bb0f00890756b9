//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package backup

import (
	"os"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// hold waits for the lock of a file, which belongs to it from then on.
func hold(f *os.File) (unlock func(), err error) {
	release, err := lockedfile.MutexAt(f.Name()).Lock()
	if err != nil {
		return nil, err
	}
	return func() { release(); _ = f.Close() }, nil
}
