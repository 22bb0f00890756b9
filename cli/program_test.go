package cli

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes an executable script. While the file is open for writing, putProgram holds ForkLock: a process
// forked at that time would inherit the descriptor, and running the script would fail with "text file busy"
// (golang/go#22315).
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
