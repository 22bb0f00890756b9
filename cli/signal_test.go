//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// hungSource sends signals to the process, and then blocks until ctx ends.
type hungSource struct {
	fakeSource
	signals []syscall.Signal
}

func (s hungSource) List(ctx context.Context, _ bool) ([]sessions.Row, error) {
	for _, sig := range s.signals {
		if err := syscall.Kill(os.Getpid(), sig); err != nil {
			return nil, err
		}
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestSignalEndsACommand isn't parallel: a signal reaches all commands of the process.
func TestSignalEndsACommand(t *testing.T) {
	for _, tt := range []struct {
		name    string
		signals []syscall.Signal
		away    bool // another program uses the terminal
		want    int
	}{
		{"interrupt", []syscall.Signal{syscall.SIGINT}, false, 130},
		{"terminate", []syscall.Signal{syscall.SIGTERM}, false, 143},
		{"hang-up", []syscall.Signal{syscall.SIGHUP}, false, 129},
		{"ctrl+c for the client", []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}, true, 143},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if slices.ContainsFunc(tt.signals, func(s syscall.Signal) bool { return signal.Ignored(s) }) {
				t.Skip("the test process ignores the signal, as under nohup, so its child processes ignore it too")
			}
			ctx, caught, stop := host.CatchSignals(t.Context())
			defer stop()
			var stderr bytes.Buffer
			d := newDeps(Program{Env: []string{"HOME=" + t.TempDir()}, Stdout: io.Discard, Stderr: &stderr, Stdin: strings.NewReader(""), Dir: t.TempDir(), Now: now})
			d.Signals = caught
			d.Open = func(catalog.Options) place.Source { return hungSource{signals: tt.signals} }
			if tt.away {
				defer caught.Yield()()
			}
			if code := caught.ExitCode(execute(ctx, d.Env, d.Output, []string{"list"}), out.ExitBug); code != tt.want {
				t.Errorf("exit code %d, want %d", code, tt.want)
			}
			if want := "✗ Interrupted. Nothing was changed.\n"; stderr.String() != want {
				t.Errorf("said %q, want %q", stderr.String(), want)
			}
		})
	}
}

// TestSecondSignalEnds: the run is blocked in a write, so only the second signal ends it.
func TestSecondSignalEnds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, ".claude", "projects", "-x", "aaaaaaaa-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"type":"user","uuid":"u","message":{"role":"user","content":"hello"},"cwd":"/x"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, full, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer full.Close()
	for wrote := 0; wrote == 0; { // the deadline may pass before the write begins
		if err := full.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if wrote, err = full.Write(make([]byte, 4<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("the pipe is not full: %v", err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "continuo", "list", "--all") // testscript has put continuo on the PATH
	cmd.Env, cmd.Dir = []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH")}, home
	cmd.Stderr = full
	rows, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Read(make([]byte, 1)); err != nil {
		t.Fatalf("no rows: %v", err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the process state has the result
		close(ended)
	}()
	again, late := time.NewTicker(20*time.Millisecond), time.After(20*time.Second) // a signal is lost if it arrives together with the first
	defer again.Stop()
	for {
		select {
		case <-ended:
			if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !ws.Signaled() || ws.Signal() != syscall.SIGINT {
				t.Errorf("ended with %v, want the second signal", cmd.ProcessState)
			}
			return
		case <-again.C:
			_ = cmd.Process.Signal(syscall.SIGINT) // fails if the process has ended
		case <-late:
			_ = cmd.Process.Kill()
			t.Fatal("it did not end")
		}
	}
}

// TestStoryDemo opens the demo from an empty list. The demo must leave no files.
func TestStoryDemo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, func(*testing.T, string) {})
	w.start("continuo")
	w.wait(`^ +▌ Look around in a demo `)
	w.keys("Enter")
	w.wait(` all projects · session 1 of 23 `)
	w.wait(` Fix refresh token race `)
	w.keys("q")
	w.wait(`^ +No sessions yet$`)
	w.keys("q")
	w.ended(0)
}

// TestStorySignal ends the demo with signals. In the browser, ctrl+c is a key.
func TestStorySignal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and drives a terminal")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, temp := filepath.Join(root, "home"), filepath.Join(root, "temp")
	for _, dir := range []string{home, temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := buildProgram(t)
	s := newScreen(t, 100, 30, root, "HOME="+home, "TMPDIR="+temp, "TZ=UTC", "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	for i, tt := range []struct {
		signal syscall.Signal // 0: press ctrl+c
		code   int
	}{{syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}, {syscall.SIGINT, 130}, {0, 0}} {
		s.text("clear; stty -g > was; sh -c 'echo $$ > pid; exec continuo demo'; echo round " + strconv.Itoa(i) + " ends with $?; stty -g > is")
		s.keys("Enter")
		s.wait(`Fix refresh token race`)
		if entries, err := os.ReadDir(temp); err != nil || len(entries) != 1 {
			t.Fatalf("the demo is not in the directory for temporary files: %v, %v", entries, err)
		}
		if tt.signal == 0 {
			s.keys("C-c")
		} else {
			pid, err := strconv.Atoi(strings.TrimSpace(readFile(t, filepath.Join(root, "pid"))))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, tt.signal); err != nil {
				t.Fatal(err)
			}
		}
		if screen := s.wait(fmt.Sprintf(`^round %d ends with \d+$`, i)); !strings.Contains(screen, fmt.Sprintf("ends with %d\n", tt.code)) {
			t.Errorf("signal %d, want exit code %d:\n%s", tt.signal, tt.code, screen)
		} else if strings.Contains(screen, "✗") {
			t.Errorf("signal %d is an error:\n%s", tt.signal, screen)
		}
		s.wait(`^\$ *$`)
		if got := strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
			t.Errorf("signal %d: alternate screen, cursor, mouse: %s", tt.signal, got)
		}
		if was, is := readFile(t, filepath.Join(root, "was")), readFile(t, filepath.Join(root, "is")); was == "" || was != is {
			t.Errorf("signal %d: the terminal was %s and is %s", tt.signal, was, is)
		}
		if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
			t.Errorf("signal %d: left behind %v, %v", tt.signal, entries, err)
		}
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("the home has %v, %v", entries, err)
	}
}
