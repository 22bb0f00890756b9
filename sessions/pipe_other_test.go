//go:build !unix

package sessions_test

import "os"

// makePipe creates a directory, because this system has no named pipes.
func makePipe(path string) error { return os.Mkdir(path, 0o700) }
