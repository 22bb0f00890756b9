//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package backup

import (
	"errors"
	"os"
	"syscall"
)

// hold waits for the lock of a file, which belongs to it from then on.
func hold(f *os.File) (unlock func(), err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return func() { _ = f.Close() }, err
}
