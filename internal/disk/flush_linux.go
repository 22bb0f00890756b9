//go:build linux && (amd64 || arm64)

package disk

import (
	"os"
	"syscall"
)

// startFlush starts to write n bytes of a file to the disk. This makes a copy of 100 MB a tenth faster.
func startFlush(f *os.File, from, n int64) {
	const write = 2                                        // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(f.Fd()), from, n, write) // fsync will report write errors
}
