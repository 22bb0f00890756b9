package host

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes a script that can be run immediately. If a process were forked while the file is open for
// writing, it would inherit the descriptor, and the system would refuse to run the file (text file busy,
// golang/go#22315). putProgram therefore prevents forks while it writes.
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
