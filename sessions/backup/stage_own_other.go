//go:build !unix

package backup

import "io/fs"

// isOwn returns true: the mode doesn't have the owner on these systems.
func isOwn(fs.FileInfo) bool { return true }
