//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// screen is a private tmux server with one window.
type screen struct {
	t    *testing.T
	name string
}

// newScreen starts a shell in a tmux window. Without tmux, it skips the test.
func newScreen(t *testing.T, width, height int, dir string, env ...string) screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s := screen{t, fmt.Sprintf("continuo-test-%d-%d", os.Getpid(), time.Now().UnixNano())}
	words := []string{
		"-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", dir,
		"env", "-i", "TERM=screen-256color", "PS1=$ ", "LC_ALL=C.UTF-8", "HISTFILE=/dev/null",
	}
	s.tmux(append(append(words, env...), "sh")...)
	socket := s.ask("#{socket_path}")
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		running := s.programs(ctx)
		_ = exec.CommandContext(ctx, "tmux", "-L", s.name, "kill-server").Run() // the server may have ended
		_ = os.Remove(socket)                                                   // tmux doesn't remove its socket
		for running != "" && ctx.Err() == nil {
			states, _ := exec.CommandContext(ctx, "ps", "-p", running, "-o", "stat=").Output()
			if !slices.ContainsFunc(strings.Fields(string(states)), func(s string) bool { return s[0] != 'Z' }) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	s.wait(`^\$`)
	return s
}

// programs returns the PIDs in all panes, separated by commas. These programs may still write after the server
// has ended.
func (s screen) programs(ctx context.Context) string {
	ttys, _ := exec.CommandContext(ctx, "tmux", "-L", s.name, "list-panes", "-a", "-F", "#{pane_tty}").Output()
	names := strings.ReplaceAll(strings.Join(strings.Fields(string(ttys)), ","), "/dev/", "")
	if names == "" {
		return ""
	}
	pids, _ := exec.CommandContext(ctx, "ps", "-t", names, "-o", "pid=").Output()
	return strings.Join(strings.Fields(string(pids)), ",")
}

func (s screen) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "tmux", append([]string{"-u", "-L", s.name}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// ask returns the value of a tmux format.
func (s screen) ask(format string) string {
	s.t.Helper()
	return strings.TrimSpace(s.tmux("display-message", "-p", format))
}

// keys presses keys, by their tmux names. Wait for the effect of an Escape before the next call: together, they
// form a different key.
func (s screen) keys(keys ...string) { s.t.Helper(); s.tmux(append([]string{"send-keys"}, keys...)...) }

func (s screen) text(text string) { s.t.Helper(); s.tmux("send-keys", "-l", "--", text) }

func (s screen) look() string { s.t.Helper(); return s.tmux("capture-pane", "-p") }

// until waits until ok accepts the screen, and returns it.
func (s screen) until(what string, ok func(screen string) bool) string {
	s.t.Helper()
	var now string
	if !patiently(func() bool { now = s.look(); return ok(now) }) {
		s.t.Fatalf("the screen never has %s:\n%s", what, now)
	}
	return now
}

// patiently polls ok for up to a minute, and reports whether it became true.
func patiently(ok func() bool) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}

// still waits until the screen doesn't change and all markdown is rendered.
func (s screen) still() string {
	s.t.Helper()
	last, same := "", 0
	return s.until("come to rest", func(now string) bool {
		if same++; now != last || strings.Contains(now, "**") || strings.Contains(now, "| --- |") {
			last, same = now, 0
		}
		return same == 5
	})
}

// wait waits until the screen matches a pattern, and returns the screen.
func (s screen) wait(pattern string) string {
	s.t.Helper()
	return s.until(pattern, regexp.MustCompile("(?m)"+pattern).MatchString)
}

// gone waits until the screen doesn't match a pattern.
func (s screen) gone(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	return s.until("lost "+pattern, func(now string) bool { return !re.MatchString(now) })
}

// match waits until the screen matches, and returns the groups of the match.
func (s screen) match(pattern string) []string {
	s.t.Helper()
	return regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(s.wait(pattern))
}

// cell waits for a text, and returns its column and row, starting at 1.
func (s screen) cell(text string) (x, y int) {
	s.t.Helper()
	for i, line := range strings.Split(s.wait(regexp.QuoteMeta(text)), "\n") {
		if at := strings.Index(line, text); at >= 0 {
			return ansi.StringWidth(line[:at]) + 1, i + 1
		}
	}
	s.t.Fatalf("%q is on two lines", text)
	return 0, 0
}

// Mouse buttons in reports of the terminal (SGR 1006): button, column and row, then M for a press or m for a
// release.
const (
	mouseLeft = 0
	mouseDrag = 32 // the left button, moved
	wheelUp   = 64
	wheelDown = 65
)

func (s screen) mouse(button, x, y int) {
	s.t.Helper()
	s.text(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x, y))
}

func (s screen) release(x, y int) { s.t.Helper(); s.text(fmt.Sprintf("\x1b[<0;%d;%dm", x, y)) }

func (s screen) click(x, y int) { s.t.Helper(); s.mouse(mouseLeft, x, y); s.release(x, y) }

func (s screen) resize(width, height int) {
	s.t.Helper()
	s.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

// fits checks the size of the screen. tmux wraps a line that is too wide, and capture-pane -J joins it again.
func (s screen) fits(what string, width, height int) {
	s.t.Helper()
	lines := strings.Split(strings.TrimSuffix(s.tmux("capture-pane", "-p", "-J"), "\n"), "\n")
	if len(lines) != height {
		s.t.Errorf("%s: %d lines, not %d:\n%s", what, len(lines), height, s.look())
	}
	for i, line := range lines {
		if w := ansi.StringWidth(strings.TrimRight(line, " ")); w > width {
			s.t.Errorf("%s: line %d is %d cells wide, not %d: %q", what, i+1, w, width, line)
		}
	}
}

func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "continuo")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", path, "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}
