//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestMain listens for SIGWINCH once, because a first listener inside a synctest bubble would be fatal.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
	os.Exit(m.Run())
}
