// Package drilltest runs parts of tests in separate processes, to kill a process or to fill its disk. It also skips
// slow tests under the race detector.
package drilltest

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Ready is the first line that a process must print after Start.
const Ready = "ready"

// InMemory runs the tests of a package with temporary files in memory, if possible. There, fsync takes no time. It
// returns the exit code.
func InMemory(m *testing.M) int {
	if fi, err := os.Stat("/dev/shm"); err == nil && fi.IsDir() && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", "/dev/shm")
	}
	return m.Run()
}

// Process is a test that runs in a separate process.
type Process struct {
	*exec.Cmd

	Lines *bufio.Scanner // output of the process after Ready
}

// Start runs one test of the current binary in a new process. env is added to its environment. Start returns when the
// process has printed Ready. The process is killed when t ends.
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
		t.Errorf("%s printed %q, want %q", test, p.Lines.Text(), Ready)
	}
	return p
}

// Kill waits and then kills the process. The test fails if the process ends earlier or prints anything.
func (p Process) Kill(t *testing.T, after time.Duration) {
	t.Helper()
	time.Sleep(after)
	if err := p.Process.Kill(); err != nil {
		t.Errorf("the process had already ended: %v", err)
	}
	for p.Lines.Scan() {
		t.Errorf("unexpected output of the process: %q", p.Lines.Text())
	}
	_ = p.Wait() // returns an error, because the process was killed
}
