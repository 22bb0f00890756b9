//go:build !unix

package setup

import "io/fs"

// isOthers reports whether a file belongs to another user. On this system, isOthers can't know the owner, so it returns
// false.
func isOthers(fs.FileInfo) bool { return false }
