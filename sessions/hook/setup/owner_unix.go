//go:build unix

package setup

import (
	"io/fs"
	"os"
	"syscall"
)

// isOthers reports whether a file belongs to another user.
func isOthers(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}
