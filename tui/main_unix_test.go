//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestMain subscribes to SIGWINCH outside of all synctest bubbles. A first subscription in a bubble would crash.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
	os.Exit(m.Run())
}
