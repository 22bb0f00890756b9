//go:build !unix

package transcript

// nonblock is 0, because directories of these systems contain no pipes.
const nonblock = 0
