//go:build !linux && !darwin

package doctor

// freeBytes returns how many bytes an unprivileged user can write in a directory; -1 if unknown.
func freeBytes(string) int64 { return -1 }
