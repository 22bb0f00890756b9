package index

import (
	"io/fs"
	"syscall"
)

// inode returns the inode number of a file and the time of its last status change (ctime) in Unix nanoseconds.
func inode(info fs.FileInfo) (number uint64, changed int64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino, st.Ctim.Nano()
	}
	return 0, 0
}
