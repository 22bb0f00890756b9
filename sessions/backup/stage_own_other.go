//go:build !unix

package backup

import "io/fs"

// isOwn always returns true: on these systems, the file info has no owner.
func isOwn(fs.FileInfo) bool { return true }
