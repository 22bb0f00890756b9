//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const (
	// nonblock is 0, because these systems have no pipes in directories.
	nonblock = 0
	// namesOpen reports whether an open file can be renamed.
	namesOpen = false
)

// own does nothing, because a file has the owner of its directory.
func own(*os.File, fs.FileInfo) error { return nil }
