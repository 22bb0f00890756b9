//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// makePipe creates a link to a named pipe, which would block a reader forever.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path+".pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(path)+".pipe", path); err != nil {
		t.Fatal(err)
	}
}
