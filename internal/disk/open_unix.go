//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	// nonblock makes opening a pipe return at once instead of waiting for a writer.
	nonblock = syscall.O_NONBLOCK
	// namesOpen says that a file can get another name while it is open.
	namesOpen = true
)

// own gives a file the owner and the group of another one.
func own(f *os.File, like fs.FileInfo) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := fi.Sys().(*syscall.Stat_t)
	want, known := like.Sys().(*syscall.Stat_t)
	if !ok || !known || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	if f.Chown(int(want.Uid), int(want.Gid)) != nil {
		return ErrOwned
	}
	return nil
}
