package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

func TestPassedOnPanic(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := newDeps(Program{Env: []string{"HOME=" + home}, Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader(""), Dir: home, Now: now})
	_ = place.WritePanic(d.Env, &sessions.PanicError{Value: "a \x1b[31mbug", Stack: []byte("where it was")}, []byte("where it was passed on"))
	reports, err := filepath.Glob(filepath.Join(home, ".local", "state", "continuo", "continuo-panic-*.txt"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports %v, %v", reports, err)
	}
	if text, err := os.ReadFile(reports[0]); err != nil || !strings.HasSuffix(string(text), "\npanic: a bug\n\nwhere it was") {
		t.Errorf("%v %q", err, text)
	}
}
