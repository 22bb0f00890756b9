//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user and is closed to all others. Files from a checkout have the mode
// that the umask allows, so they aren't ours.
func isOwn(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.Mode().Perm()&0o077 == 0 && (!ok || int(st.Uid) == os.Geteuid())
}
