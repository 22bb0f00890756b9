//go:build !unix

package sessions_test

import "os"

// makePipe makes a directory instead, because this system has no named pipes. It isn't a transcript either.
func makePipe(path string) error { return os.Mkdir(path, 0o700) }
