//go:build !unix

package backup

// nonblock is not needed: pipes have no names in directories here.
const nonblock = 0
