//go:build unix

package ledger

import "syscall"

// nonblock makes opening a pipe return at once instead of waiting for a writer.
const nonblock = syscall.O_NONBLOCK
