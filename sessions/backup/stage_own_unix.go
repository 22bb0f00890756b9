//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user, and other users have no permissions on it. A file that git checked
// out usually isn't: with the usual umask, other users can read it.
func isOwn(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.Mode().Perm()&0o077 == 0 && (!ok || int(st.Uid) == os.Geteuid())
}
