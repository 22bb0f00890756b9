//go:build !linux

package cli

// bindRoot does nothing: only on Linux, the tests may run as root.
func bindRoot() {}
