//go:build linux || darwin

package doctor

import "syscall"

// freeBytes returns how many bytes an unprivileged user can write in a directory; -1 if unknown.
func freeBytes(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize) // Bsize has a different type on each system
}
