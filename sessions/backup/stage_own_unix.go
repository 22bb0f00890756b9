//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user and other users can't access it. With the usual umask, a file
// that git checked out has more permissions.
func isOwn(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.Mode().Perm()&0o077 == 0 && (!ok || int(st.Uid) == os.Geteuid())
}
