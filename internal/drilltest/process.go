// Package drilltest helps tests: it runs parts of one in a process that is killed or whose disk is full, and skips what is
// too much work under the race detector. Only tests import it.
package drilltest

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Ready is the first line that a process of Start prints.
const Ready = "ready"

// Process is a test that runs in a process of its own.
type Process struct {
	*exec.Cmd

	Lines *bufio.Scanner // what it prints after Ready
}

// Start runs one test of the running binary with more variables in its environment, and returns when it is ready. The
// process is killed when t ends.
func Start(t *testing.T, test string, env ...string) Process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p := Process{cmd, bufio.NewScanner(out)}
	if !p.Lines.Scan() || p.Lines.Text() != Ready {
		t.Errorf("%s prints %q", test, p.Lines.Text())
	}
	return p
}

// Kill kills the process after a while. It must not end before that, nor print anything.
func (p Process) Kill(t *testing.T, after time.Duration) {
	t.Helper()
	time.Sleep(after)
	if err := p.Process.Kill(); err != nil {
		t.Errorf("the process ended: %v", err)
	}
	for p.Lines.Scan() {
		t.Errorf("the process prints %q", p.Lines.Text())
	}
	_ = p.Wait() // it was killed
}
