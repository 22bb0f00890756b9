//go:build !unix

package setup

import "io/fs"

// isOthers returns false, because the owner is unknown on this system.
func isOthers(fs.FileInfo) bool { return false }
