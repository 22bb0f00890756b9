//go:build !linux && !darwin

package doctor

// freeBytes is what a person may still write to the disk of a directory, -1 unknown.
func freeBytes(string) int64 { return -1 }
