//go:build !linux

package cli

// bindRoot does nothing: tests run as root only on Linux.
func bindRoot() {}
