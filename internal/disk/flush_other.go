//go:build !(linux && (amd64 || arm64))

package disk

import "os"

// startFlush would let the disk begin with a part of a file; here that is left to the system.
func startFlush(*os.File, int64, int64) {}
