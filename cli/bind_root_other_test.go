//go:build !linux

package cli

// bindRoot does nothing: tests run as root on Linux only.
func bindRoot() {}
