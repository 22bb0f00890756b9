//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestStoryResume: someone opens the browser, finds a session, reads it, goes back, resumes it, comes back and
// leaves; the terminal is as it was.
func TestStoryResume(t *testing.T) {
	t.Parallel()
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
