//go:build linux || darwin

package doctor

import "syscall"

// freeBytes is what a person may still write to the disk of a directory, -1 unknown.
func freeBytes(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize) // Bsize is another type on each system
}
