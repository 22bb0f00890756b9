//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestMain listens for SIGWINCH once, because the first listener must not be created inside a synctest bubble:
// that would be fatal.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
	os.Exit(m.Run())
}
