package cli

import (
	"os"
	"syscall"
	"testing"
)

// putProgram writes an executable script. ForkLock prevents a fork while the file is open for writing
// (golang/go#22315).
func putProgram(t *testing.T, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
