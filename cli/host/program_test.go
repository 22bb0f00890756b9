package host

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes a script that can run immediately. Forks are blocked, because a child could inherit the open file
// (text file busy, golang/go#22315).
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
