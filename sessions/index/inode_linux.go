package index

import (
	"io/fs"
	"syscall"
)

// inode returns the number of a file in its file system, and when its status changed, in Unix nanoseconds.
func inode(info fs.FileInfo) (number uint64, changed int64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino, st.Ctim.Nano()
	}
	return 0, 0
}
