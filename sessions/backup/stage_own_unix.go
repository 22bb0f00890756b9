//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file is of this user, and closed to all others. git checks files out with the bits that the
// umask leaves, which are those of everybody, so what came with a clone is not ours.
func isOwn(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.Mode().Perm()&0o077 == 0 && (!ok || int(st.Uid) == os.Geteuid())
}
