//go:build !unix

package setup

import "io/fs"

// isOthers always returns false: on these systems, the file info has no owner.
func isOthers(fs.FileInfo) bool { return false }
