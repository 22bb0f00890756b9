//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const (
	// nonblock is not needed: these systems have no pipes in directories.
	nonblock = 0
	// namesOpen reports whether an open file can be renamed.
	namesOpen = false
)

// own does nothing: files have the owner of their directory.
func own(*os.File, fs.FileInfo) error { return nil }
