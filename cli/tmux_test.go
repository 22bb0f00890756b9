//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/demo"
)

// screen is a private tmux server with one window that a person sits at.
type screen struct {
	t    *testing.T
	name string // of the server
}

// newScreen starts a shell of the given size in tmux. The test is skipped without tmux.
func newScreen(t *testing.T, width, height int, dir string, env ...string) screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s := screen{t, fmt.Sprintf("continuo-test-%d-%d", os.Getpid(), time.Now().UnixNano())}
	words := []string{
		"-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", dir,
		"env", "-i", "TERM=screen-256color", "PS1=$ ", "LC_ALL=C.UTF-8",
	}
	s.tmux(append(append(words, env...), "sh")...)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = exec.CommandContext(ctx, "tmux", "-L", s.name, "kill-server").Run() // it may have ended by itself
	})
	s.wait(`^\$`)
	return s
}

// tmux runs a command of the server and returns what it prints.
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

// keys presses keys by the names that tmux has for them.
func (s screen) keys(keys ...string) { s.t.Helper(); s.tmux(append([]string{"send-keys"}, keys...)...) }

// text types letters.
func (s screen) text(text string) { s.t.Helper(); s.tmux("send-keys", "-l", text) }

func (s screen) look() string { s.t.Helper(); return s.tmux("capture-pane", "-p") }

// wait waits until the screen matches and returns it. A person would give up after 20 s, too.
func (s screen) wait(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	var now string
	for range 400 {
		if now = s.look(); re.MatchString(now) {
			return now
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("the screen never has %s:\n%s", pattern, now)
	return ""
}

// buildProgram builds continuo itself.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "continuo")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", path, "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// TestStoryResume: someone opens the browser, finds a session, reads it, goes back, resumes it, comes back and
// leaves; the terminal is as it was.
func TestStoryResume(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and drives a terminal")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, code, bin, elsewhere := filepath.Join(root, "home"), filepath.Join(root, "code"), filepath.Join(root, "bin"), filepath.Join(root, "elsewhere")
	stats, err := demo.Write(t.Context(), filepath.Join(home, ".claude"), demo.Options{Sessions: 30, Now: time.Now(), Root: code})
	if err != nil {
		t.Fatal(err)
	}
	target := findDemo(t, stats, "waitlist")
	for _, dir := range []string{target.Workdir, bin, elsewhere} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	record := filepath.Join(root, "record")
	client := "#!/bin/sh\npwd -P > '" + record + "'\nprintf '%s\\n' \"$#\" \"$@\" >> '" + record + "'\necho the client runs\nread answer\n"
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte(client), 0o700); err != nil {
		t.Fatal(err)
	}
	before := snapshotTree(t, filepath.Join(home, ".claude"))
	program := buildProgram(t)
	s := newScreen(t, 120, 36, elsewhere, "HOME="+home, "TZ=UTC", "PATH="+bin+":"+filepath.Dir(program)+":"+os.Getenv("PATH"),
		"XDG_STATE_HOME="+filepath.Join(home, "state"))

	was, is := filepath.Join(root, "was"), filepath.Join(root, "is")
	s.text("stty -g >" + was + "; continuo; stty -g >" + is)
	s.keys("Enter")
	list := s.wait(`all projects · \d+ sessions`)
	if !strings.Contains(list, "Sessions") || !strings.Contains(list, target.Name) {
		t.Errorf("the list does not have %q:\n%s", target.Name, list)
	}

	s.keys("/")
	s.text("waitlist")
	s.wait(`waitlist.* 1 of \d+|waitlist.* \d+ of \d+`)
	found := s.wait(regexp.QuoteMeta(target.Name[:20]))
	if strings.Contains(found, "tide table") {
		t.Errorf("the filter leaves others:\n%s", found)
	}
	s.keys("Enter")
	s.keys("Enter")
	s.wait(`^ ` + regexp.QuoteMeta(target.Name) + `[^\n]*messages`)
	s.keys("q")
	s.wait(`continuo +Sessions`)

	s.keys("r")
	s.wait(`the client runs`)
	if got := s.tmux("display-message", "-p", "#{alternate_on}"); strings.TrimSpace(got) != "0" {
		t.Errorf("the client runs inside the browser's screen")
	}
	s.text("done")
	s.keys("Enter")
	s.wait(`continuo +Sessions`)
	text := readFile(t, record)
	if want := strings.Join([]string{target.Workdir, "2", "--resume", target.ID}, "\n") + "\n"; text != want {
		t.Errorf("the client was started as\n%swant\n%s", text, want)
	}

	s.leave()
	s.wait(`^\$ *$`)
	if got := strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
		t.Errorf("alternate screen, cursor, mouse: %s", got)
	}
	if before, after := readFile(t, was), readFile(t, is); before == "" || before != after {
		t.Errorf("the terminal was %s and is %s", before, after)
	}
	if after := snapshotTree(t, filepath.Join(home, ".claude")); after != before {
		t.Error("something in the config directory changed")
	}
}

// leave backs out of the browser. A level may take its time on a busy machine; a q too many would be typed into
// the shell.
func (s screen) leave() {
	s.t.Helper()
	for range 5 {
		s.keys("q")
		for range 40 {
			if strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on}")) == "0" {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	s.t.Errorf("q does not leave:\n%s", s.look())
}

// findDemo returns the newest made-up session that has a word in its name.
func findDemo(t *testing.T, stats demo.Stats, word string) demo.Session {
	t.Helper()
	for _, ses := range stats.List {
		if strings.Contains(ses.Name, word) {
			return ses
		}
	}
	t.Fatalf("no made-up session about %s", word)
	return demo.Session{}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// snapshotTree is every path, size, mode and time below a directory.
func snapshotTree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.Mode(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
