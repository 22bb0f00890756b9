//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
)

// start starts a hook whose stdin stays open.
func (p *hookPlace) start(event string) (cmd *exec.Cmd, stdin io.WriteCloser, output *bytes.Buffer) {
	p.t.Helper()
	cmd = exec.CommandContext(p.t.Context(), "continuo", "hook", event) // testscript has put continuo on the PATH
	cmd.Dir = p.code
	cmd.Env = []string{"HOME=" + p.home, "TMPDIR=" + p.home, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	output = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = output, output
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return cmd, stdin, output
}

// listen waits until a hook reads stdin. It writes more than a pipe holds (at most 64 KB).
func (p *hookPlace) listen(stdin io.Writer) {
	p.t.Helper()
	if _, err := stdin.Write(bytes.Repeat([]byte(" "), 128<<10)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *hookPlace) ends(cmd *exec.Cmd, output *bytes.Buffer) {
	p.t.Helper()
	if err := cmd.Wait(); err != nil || output.Len() > 0 {
		p.t.Errorf("the hook ended with %v and printed %q", err, output)
	}
}

func (p *hookPlace) noted(words string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.home, ".local", "state", "continuo", "hooks.jsonl"))
	if err != nil || !strings.Contains(string(text), words) {
		p.t.Errorf("noted is\n%s, %v; want %s", text, err, words)
	}
}

func TestHookHungUp(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	cmd, stdin, output := p.start("session-end")
	p.listen(stdin)
	for _, sig := range []os.Signal{syscall.SIGHUP, os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond) // time for the signals to arrive
	if _, err := io.WriteString(stdin, p.payload()); err != nil {
		t.Fatal(err)
	}
	p.ends(cmd, output) // stdin is still open
	p.noted(`"result":"saved"`)
}

func TestHookTerminated(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	cmd, stdin, output := p.start("session-end")
	p.listen(stdin)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ends(cmd, output)
	p.noted(`"error":"interrupted"`)
}

// TestHookTerminatedCopying: SIGTERM arrives during a copy. A complete copy stays.
func TestHookTerminatedCopying(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	const size = 64 << 20
	if err := os.WriteFile(p.script, bytes.Repeat([]byte(`{"sessionId":"s-1","n":1234567}`+"\n"), size/32), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdin, output := p.start("session-end")
	if _, err := io.WriteString(stdin, p.payload()); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(p.code, ".claude", "memory", "raw")
	for range 20_000 {
		if names, _ := filepath.Glob(filepath.Join(raw, ".continuo-*.tmp")); len(names) > 0 {
			break
		}
		time.Sleep(100 * time.Microsecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ends(cmd, output)
	names, err := filepath.Glob(filepath.Join(raw, "*.jsonl"))
	hidden, _ := filepath.Glob(filepath.Join(raw, ".continuo-*"))
	if err != nil || len(hidden) > 0 || len(names) > 1 {
		t.Fatalf("left over: %q, %q, %v", names, hidden, err)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.Size() != size {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(names) == 0 {
		p.noted(`"error":"interrupted"`)
	}
}

// TestHookUnheard: stdout is closed.
func TestHookUnheard(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	run, _, _ := p.program(p.payload(), "hook", "session-end")
	if code := Run(t.Context(), run); code != out.ExitDone {
		t.Fatalf("exit code %d", code)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "continuo", "hook", "session-start")
	cmd.Dir, cmd.Env = p.code, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	p.noted(`"result":"told"`)
}
