//go:build !unix

package transcript

// nonblock is not needed on these systems, because their directories contain no pipes.
const nonblock = 0
