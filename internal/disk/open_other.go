//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const (
	// nonblock is not needed: pipes have no names in directories here.
	nonblock = 0
	// namesOpen says that a file can get another name while it is open.
	namesOpen = false
)

// own gives a file the owner of another one: here it has that of its directory.
func own(*os.File, fs.FileInfo) error { return nil }
