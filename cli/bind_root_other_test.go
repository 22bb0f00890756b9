//go:build !linux

package cli

// bindRoot does nothing here. The tests run as root on Linux only.
func bindRoot() {}
