//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/launch"
)

// muxOf returns a host.Tmux for a process inside the server of a screen.
func muxOf(s screen, env ...string) *host.Tmux {
	s.t.Helper()
	program, err := exec.LookPath("tmux")
	if err != nil {
		s.t.Fatal(err)
	}
	environ := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TMUX") })
	return &host.Tmux{
		Inside: true, Program: program,
		Environ: append(append(environ, "TMUX="+s.ask("#{socket_path}")+",1,0"), env...),
	}
}

// watch attaches a second terminal to the server. Popups need an attached client.
func (s screen) watch() screen {
	s.t.Helper()
	client := newScreen(s.t, 100, 30, s.t.TempDir(), "PATH="+os.Getenv("PATH"))
	client.text("TMUX= tmux -u -S " + s.ask("#{socket_path}") + " attach")
	client.keys("Enter")
	client.wait(`^\[0\]`) // the status line of tmux
	return client
}

// eventually waits for a condition that the screen doesn't show.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	if !patiently(ok) {
		t.Fatalf("never %s", what)
	}
}

// TestPaneOf finds a process in its pane at any depth of the process tree.
func TestPaneOf(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 80, 24, t.TempDir(), "PATH="+os.Getenv("PATH"))
	s.tmux("rename-session", "a task")
	s.text("sh -c 'sh -c \"sleep 99 & echo deep \\$!; wait\" & echo child $!; wait'")
	s.keys("Enter")
	child, deep := s.match(`^child (\d+)$`)[1], s.match(`^deep (\d+)$`)[1]
	m := muxOf(s)
	want := host.Pane{ID: s.ask("#{pane_id}"), Name: "a task:0"}
	for _, pid := range []string{s.ask("#{pane_pid}"), child, deep} {
		n, err := strconv.Atoi(pid)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := paneOf(t.Context(), m, n); !ok || got.ID != want.ID || got.Name != want.Name {
			t.Errorf("process %d: %+v, %v, want %+v", n, got, ok, want)
		}
	}
	for _, pid := range []int{os.Getpid(), 1, 0, -1, 1 << 30} {
		if got, ok := paneOf(t.Context(), m, pid); ok {
			t.Errorf("process %d was found in %+v", pid, got)
		}
	}
	s.keys("C-c")
}

// TestGoTo: GoTo switches the client inside tmux. Outside tmux, it returns a command.
func TestGoTo(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 80, 24, t.TempDir())
	s.watch()
	s.tmux("new-session", "-d", "-s", "other", "sleep 99")
	s.tmux("split-window", "-t", "other", "sleep 98")
	target := strings.Fields(s.tmux("list-panes", "-t", "other", "-F", "#{pane_id}"))[0]
	m := muxOf(s)
	shown := func() string { return strings.TrimSpace(s.tmux("list-clients", "-F", "#{client_session} #{pane_id}")) }
	if argv, err := launch.GoInTmux(t.Context(), m, target); err != nil || argv != nil || shown() != "other "+target {
		t.Errorf("%q, %v: the client shows %s, not %s", argv, err, shown(), target)
	}
	for _, id := range []string{"", "%", "other", "-t", "%1;kill-server", "=%1"} {
		if _, err := launch.GoInTmux(t.Context(), m, id); err == nil {
			t.Errorf("pane ID %q is accepted", id)
		}
	}
	if _, err := launch.GoInTmux(t.Context(), m, "%99"); err == nil || !strings.HasPrefix(err.Error(), "The pane is closed, so the session has ended there.") {
		t.Errorf("a pane that is gone: %v", err)
	}
	m.Inside = false
	argv, err := launch.GoInTmux(t.Context(), m, target)
	if want := []string{m.Program, "attach-session", "-t", target}; err != nil || !slices.Equal(argv, want) {
		t.Errorf("outside: %q, %v", argv, err)
	}
	third := newScreen(t, 80, 24, t.TempDir(), "PATH="+os.Getenv("PATH")) // the returned command must attach
	third.text(fmt.Sprintf("TMUX= %s -S %s %s", argv[0], s.ask("#{socket_path}"), strings.Join(argv[1:], " ")))
	third.keys("Enter")
	third.wait(`^\[other\]`)
	if got := strings.Count(s.tmux("list-clients", "-F", "#{pane_id}"), target); got != 2 {
		t.Errorf("%d clients show the pane", got)
	}
}

func TestTmuxCopy(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 80, 24, t.TempDir())
	m := muxOf(s)
	text := "two\nlines; #{pane_id} $(touch x) 'é'\n"
	if err := m.Copy(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	if got := s.tmux("show-buffer"); got != text {
		t.Errorf("the buffer is %q", got)
	}
	m.Inside = false
	if err := m.Copy(t.Context(), text); err == nil || err.Error() != "this is not inside tmux" {
		t.Errorf("outside: %v", err)
	}
}

func paneOf(ctx context.Context, m *host.Tmux, pid int) (host.Pane, bool) {
	p, ok := m.PanesOf(ctx, []int{pid})[pid]
	return p, ok
}
