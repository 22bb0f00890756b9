//go:build !unix

package setup

import "io/fs"

// isOthers always returns false, because file infos have no owner on these systems.
func isOthers(fs.FileInfo) bool { return false }
