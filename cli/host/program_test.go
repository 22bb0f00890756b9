package host

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes a script that can be run immediately. A process that is forked while the file is open for writing
// inherits the descriptor, and the system then refuses to run the file (text file busy, golang/go#22315). putProgram
// therefore prevents forks meanwhile.
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
