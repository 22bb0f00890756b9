//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	// nonblock is the flag for opening a pipe without waiting for its writer.
	nonblock = syscall.O_NONBLOCK
	// namesOpen reports whether an open file can be renamed.
	namesOpen = true
)

// own copies the owner and group of a file to f.
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
		return errOwned
	}
	return nil
}
