package host

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes a script that can be run at once. A process that begins while it is open for writing would have it
// open as well, and then the system does not run it (text file busy, golang/go#22315): none begins meanwhile.
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
