//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package disk

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// selfLock is the lock of a directory, which cannot be locked itself here.
const selfLock = ".continuo.lock"

// lockFile is the file that has the lock of a file: one that is locked can neither be read here nor replaced.
func lockFile(name string) string {
	if strings.HasSuffix(name, lockSuffix) {
		return name
	}
	return name + lockSuffix
}

// hold waits for the lock of a file, which belongs to it from then on.
func hold(f *os.File) (unlock func(), err error) {
	release, err := lockedfile.MutexAt(f.Name()).Lock()
	if err != nil {
		return nil, err
	}
	return func() { release(); _ = f.Close() }, nil
}

// lockSelf waits for the lock of the directory itself. Its file stays: who waits for it has it open.
func (r *Root) lockSelf() (unlock func(), err error) {
	return lockedfile.MutexAt(r.At(selfLock)).Lock()
}

// claim marks a file that was just made as one whose writer lives: here its age does.
func (r *Root) claim(*os.File, string) bool { return true }

// lives reports whether the writer of a file in the making lives, and known whether that can be told: never, here.
func (r *Root) lives(string) (alive, known bool, release func()) { return false, false, func() {} }
