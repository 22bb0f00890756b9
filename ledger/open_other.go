//go:build !unix

package ledger

// nonblock is not needed: pipes have no names in directories here.
const nonblock = 0
