//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

func TestFIFO(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := testRun{dir: dir, args: []string{"show", "fifo.jsonl"}}.do(t)
	if code != out.ExitFailed || stdout != "" || !strings.Contains(stderr, "isn't a regular file. Name a .jsonl or .md file.") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}
