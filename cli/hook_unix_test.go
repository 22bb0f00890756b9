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

// start runs a hook as a process of its own, with a stdin that stays open.
func (p *hookPlace) start(event string) (cmd *exec.Cmd, stdin io.WriteCloser, said *bytes.Buffer) {
	p.t.Helper()
	cmd = exec.CommandContext(p.t.Context(), "continuo", "hook", event) // testscript has put it there
	cmd.Dir = p.code
	cmd.Env = []string{"HOME=" + p.home, "TMPDIR=" + p.home, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	said = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = said, said
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return cmd, stdin, said
}

// listen waits until a hook reads its stdin: by then it has taken over the signals. A pipe holds 64 KB, or less.
func (p *hookPlace) listen(stdin io.Writer) {
	p.t.Helper()
	if _, err := stdin.Write(bytes.Repeat([]byte(" "), 128<<10)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *hookPlace) ends(cmd *exec.Cmd, said *bytes.Buffer) {
	p.t.Helper()
	if err := cmd.Wait(); err != nil || said.Len() > 0 {
		p.t.Errorf("the hook ended with %v and said %q", err, said)
	}
}

func (p *hookPlace) noted(words string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.home, ".local", "state", "continuo", "hooks.jsonl"))
	if err != nil || !strings.Contains(string(text), words) {
		p.t.Errorf("noted is\n%s, %v; want %s", text, err, words)
	}
}

// TestHookHungUp: a terminal that is closed, and ctrl+c, are when a backup is made. They do not end it.
func TestHookHungUp(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	cmd, stdin, said := p.start("session-end")
	p.listen(stdin)
	for _, sig := range []os.Signal{syscall.SIGHUP, os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond) // they are delivered
	if _, err := io.WriteString(stdin, p.payload()); err != nil {
		t.Fatal(err)
	}
	p.ends(cmd, said) // although stdin is open still
	p.noted(`"result":"saved"`)
}

// TestHookTerminated: SIGTERM ends a hook at once, and that is no failure to the client.
func TestHookTerminated(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	cmd, stdin, said := p.start("session-end")
	p.listen(stdin)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ends(cmd, said)
	p.noted(`"error":"interrupted"`)
}

// TestHookTerminatedCopying: a copy that is not finished is taken away, one that is stays whole.
func TestHookTerminatedCopying(t *testing.T) {
	t.Parallel()
	p := newHookPlace(t)
	const size = 64 << 20
	if err := os.WriteFile(p.script, bytes.Repeat([]byte(`{"sessionId":"s-1","n":1234567}`+"\n"), size/32), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdin, said := p.start("session-end")
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
	p.ends(cmd, said)
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

// TestHookUnheard: who does not read what SessionStart says ends nothing.
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
