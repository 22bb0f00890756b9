//go:build unix

package cli

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// TestGateGone: git knows the commit that removed the file.
func TestGateGone(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	if err := os.RemoveAll(w.path(".git")); err != nil {
		t.Fatal(err)
	}
	w.write(notesFile, strings.ReplaceAll(gateLog, "clock.go", "gone.go"))
	if x := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}}).Report.Steps[2].Findings[0]; x.What != "file is gone" {
		t.Errorf("without git: %+v", x)
	}
	w.write("src/gone.go", "x\n")
	git(t, w.project, "init", "-q")
	git(t, w.project, "add", "-A")
	git(t, w.project, "commit", "-qm", "one")
	git(t, w.project, "rm", "-q", "src/gone.go")
	git(t, w.project, "commit", "-qm", "two")
	hash := strings.TrimSpace(git(t, w.project, "rev-parse", "--short", "HEAD"))
	if x := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}}).Report.Steps[2].Findings[0]; x.What != "file is gone since "+hash {
		t.Errorf("%+v, want %s", x, hash)
	}
}

// TestGateFIFO: today's trajectory is a FIFO.
func TestGateFIFO(t *testing.T) {
	t.Parallel()
	w := strictWorld(t)
	if err := os.Remove(w.path(gateFile)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(w.path(gateFile), 0o600); err != nil {
		t.Fatal(err)
	}
	w.uncounted(ledgers.GateAsk{}, "a FIFO", "cannot be read: a link, or not a regular file.")
}
