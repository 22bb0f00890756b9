//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user, and other users have no permissions on it. It usually returns
// false for a file that git checked out, because the umask usually lets other users read such a file.
func isOwn(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.Mode().Perm()&0o077 == 0 && (!ok || int(st.Uid) == os.Geteuid())
}
