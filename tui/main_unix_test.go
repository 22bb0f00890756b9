//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestMain subscribes to SIGWINCH once. If the first subscription happened in a synctest bubble, the program would
// crash.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
	os.Exit(m.Run())
}
