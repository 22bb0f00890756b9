//go:build linux && (amd64 || arm64)

package disk

import (
	"os"
	"syscall"
)

// startFlush lets the disk begin with a part of a file. A copy of 100 MB takes a tenth longer without it.
func startFlush(f *os.File, from, n int64) {
	const write = 2                                        // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(f.Fd()), from, n, write) // fsync has the last word
}
