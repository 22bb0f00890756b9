//go:build unix

package transcript

import "syscall"

// nonblock keeps opening a pipe from waiting for a writer.
const nonblock = syscall.O_NONBLOCK
