//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
)

// newHomeScreen starts a screen in an empty home, with continuo on the PATH. The server has the same
// environment.
func newHomeScreen(t *testing.T) (s screen, home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("continuo")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + home, "PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH"), "CLAUDE_CONFIG_DIR=", "GORACE=atexit_sleep_ms=0",
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
	}
	s = newScreen(t, 100, 30, home, env...)
	for _, v := range env {
		key, value, _ := strings.Cut(v, "=")
		s.tmux("set-environment", "-g", key, value)
	}
	s.text("export TMUX=" + s.ask("#{socket_path},#{pid},0") + " TMUX_PANE=" + s.ask("#{pane_id}") + "; clear; echo rea''dy")
	s.keys("Enter")
	s.wait(`^ready$`)
	return s, home
}

// windows waits until the session has n windows. Call it before keys are sent: an ending window might get them.
func (s screen) windows(n int) {
	s.t.Helper()
	s.until(fmt.Sprintf("been one of %d windows", n), func(string) bool { return s.ask("#{session_windows}") == fmt.Sprint(n) })
}

// TestTmuxPage: the output of continuo tmux is a valid config with key bindings and a status line.
func TestTmuxPage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("drives a terminal")
	}
	s, home := newHomeScreen(t)
	memory(t, home, "20261121_110200_compact")
	client := s.watch()
	s.text("continuo tmux >page && tmux source-file page && echo sour''ced")
	s.keys("Enter")
	s.wait(`^sourced$`)
	page := readFile(t, filepath.Join(home, "page"))
	for key, want := range map[string]string{"g": "display-popup", "G": "new-window"} {
		if got := s.tmux("list-keys", "-T", "prefix", key); !strings.Contains(got, want) {
			t.Errorf("prefix %s is %s", key, got)
		}
	}
	s.tmux("set-option", "-g", "status-interval", "1")
	client.wait(" 1 pending")
	s.tmux("set-option", "-g", "status-interval", "0") // otherwise, tmux runs the status command all the time
	client.keys("C-b", "g")
	client.wait(`│.*No sessions`)
	client.keys("q")
	client.gone("┌") // border of the popup
	client.keys("C-b", "G")
	client.wait("No sessions")
	if got := s.ask("#{window_name} #{pane_current_path}"); got != "continuo "+home {
		t.Errorf("prefix G opens %s", got)
	}
	client.keys("q")
	s.windows(1)

	s.tmux("unbind-key", "g")
	s.tmux("set-option", "-g", "status-right", "mine")
	tried := 0
	for line := range strings.Lines(page) { // the commands in comments are for a shell
		command, ok := strings.CutPrefix(line, "#   tmux ")
		if !ok || strings.HasPrefix(command, "source-file") {
			continue
		}
		tried++
		s.text(fmt.Sprintf("clear; tmux %s && echo tri''ed %d", strings.TrimSuffix(command, "\n"), tried))
		s.keys("Enter")
		s.wait(fmt.Sprintf(`^tried %d$`, tried))
	}
	if got := s.tmux("list-keys", "-T", "prefix", "g"); !strings.Contains(got, `display-popup -E -d "#{pane_current_path}"`) {
		t.Errorf("tried: %s", got)
	}
	s.tmux("source-file", filepath.Join(home, "page")) // keeps the tried settings, and doesn't repeat the status text
	if got := s.tmux("show-options", "-g", "-v", "status-right"); strings.TrimSpace(got) != "mine #(continuo status --line)" {
		t.Errorf("tried and sourced: %s", got)
	}
}

// TestTmuxTry: --try opens a popup from a pane, and a window from a popup. A popup may have inherited the
// $TMUX_PANE of another pane.
func TestTmuxTry(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("drives a terminal")
	}
	s, home := newHomeScreen(t)
	client := s.watch()
	s.text("continuo tmux --try --json")
	s.keys("Enter")
	client.wait(`│.*No sessions`)
	if n := strings.Count(s.tmux("list-windows"), "\n"); n != 1 {
		t.Errorf("%d windows", n)
	}
	client.keys("q")
	s.wait(`^\{"opened":"popup","pane":"","name":""\}$`)

	m := muxOf(s)
	for name, stale := range map[string]string{"popup": "", "stale": "TMUX_PANE=" + s.ask("#{pane_id}")} {
		note := filepath.Join(home, name)
		script := stale + ` continuo tmux --try --json >"$0" 2>&1`
		if _, err := launch.StartInTmux(t.Context(), m, host.Popup, home, nil, []string{"sh", "-c", script, note}, ""); err != nil {
			t.Fatal(err)
		}
		var got struct{ Opened, Pane, Name string }
		if err := json.Unmarshal([]byte(readFile(t, note)), &got); err != nil || got.Opened != "window" || !regexp.MustCompile(`^%\d+$`).MatchString(got.Pane) {
			t.Fatalf("%s: %s", name, readFile(t, note))
		}
		client.wait("No sessions")
		client.keys("q")
		s.windows(1)
	}
}

func TestTmuxCommand(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(args ...string) (string, string, int) {
		var stdout, stderr bytes.Buffer
		d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
		code := execute(t.Context(), d.Env, d.Output, args)
		return stdout.String(), stderr.String(), code
	}
	if _, output, code := run("tmux", "--try"); code != out.ExitFailed || !strings.HasPrefix(output, "✗ This is not inside tmux") {
		t.Errorf("outside: %d, %s", code, output)
	}
	if _, _, code := run("tmux", "now"); code != out.ExitFailed {
		t.Errorf("with an argument: %d", code)
	}
	text, output, code := run("tmux", "--json")
	var got struct {
		Program string
		Lines   []launch.TmuxLines
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != out.ExitDone || !filepath.IsAbs(strings.Trim(got.Program, "'")) || len(got.Lines) < 2 {
		t.Fatalf("%s %s: %d, %v", text, output, code, err)
	}
	for _, l := range got.Lines {
		for i, line := range l.Config {
			if l.Try[i] != "tmux "+line || !strings.Contains(line, got.Program) && !strings.Contains(line, "length") {
				t.Errorf("%q is tried as %q", line, l.Try[i])
			}
		}
	}
	page := launch.TmuxPage(got.Lines[1:], "continuo", false, host.Version{Major: 3, Minor: 1})
	if strings.Contains(page, "display-popup") || !strings.Contains(page, "# tmux 3.1 has no popups,") {
		t.Errorf("for tmux 3.1:\n%s", page)
	}
}
