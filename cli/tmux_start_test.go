//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/launch"
)

// recorder writes a program that records its directory, variables and arguments. It returns the paths of the
// program and of the record.
func recorder(t *testing.T) (program, record string) {
	t.Helper()
	dir := t.TempDir()
	program, record = filepath.Join(dir, "claude"), filepath.Join(dir, "record")
	script := "#!/bin/sh\n{ printf '%s\\0' \"$(pwd -P; echo x)\" \"$PWD\" \"${ADDED-unset}\" \"${TAKEN-unset}\" \"$@\"; } >" + record + ".part\n" +
		"mv " + record + ".part " + record + "\n"
	putProgram(t, program, script)
	return program, record
}

// hostileName returns a name with special characters of shells and of tmux formats.
func hostileName() string {
	return "a 'b' \"c\" $(touch HACK) `touch HACK` #(touch HACK) #{pane_id} ##{x} #S #[fg=red] ###[ %H \\ ~ é\nnew;"
}

// TestStartLiteral: a program gets its folder, environment and arguments byte for byte. No part of them may be
// run.
func TestStartLiteral(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, hostileName())
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := newScreen(t, 100, 30, root, "TAKEN=from the server", "PATH="+os.Getenv("PATH"))
	s.tmux("set-environment", "-g", "TAKEN", "from the server")
	s.watch()
	m := muxOf(s)
	argv := []string{
		"--resume", "", ";", `\;`, "a;", `b\;`, "-t", "{", "}", "'", `"`, "$HOME", "$(touch HACK)", "`touch HACK`", "#(touch HACK)",
		"#{pane_id}", "#S", "two\nlines", "é", "--", "new-window", "*", "~", "A=b", "kill-server;",
	}
	for _, where := range []string{host.Window, host.Split, host.Popup} {
		program, record := recorder(t)
		env := []string{"TAKEN", "ADDED=$(touch HACK) #{pane_id};"}
		got, err := launch.StartInTmux(t.Context(), m, where, dir, env, append([]string{program}, argv...), "#(touch HACK) #{pane_id} a:b.c;")
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		eventually(t, "started in a "+where, func() bool { _, err := os.Stat(record); return err == nil })
		want := append([]string{dir + "\nx", dir, "$(touch HACK) #{pane_id};", "unset"}, argv...)
		if started := strings.Split(strings.TrimSuffix(readFile(t, record), "\x00"), "\x00"); !slices.Equal(started, want) {
			t.Errorf("%s: started as\n%q, want\n%q", where, started, want)
		}
		if got.Where != where || (got.Pane == "") != (where == host.Popup) || (got.PID == 0) != (where == host.Popup) {
			t.Errorf("%s: %+v", where, got)
		}
	}
	err = filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "HACK" {
			t.Errorf("something was run: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if home, err := os.UserHomeDir(); err == nil {
		if _, err := os.Lstat(filepath.Join(home, "HACK")); err == nil {
			t.Error("something was run in the home")
		}
	}
}

// TestStartNames: StartInTmux and paneOf return the same pane and name.
func TestStartNames(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 100, 30, t.TempDir())
	s.tmux("rename-session", "work")
	m := muxOf(s)
	for where, want := range map[string]string{host.Window: "#(rm -rf) a very long name", host.Split: ""} {
		got, err := launch.StartInTmux(t.Context(), m, where, t.TempDir(), nil, []string{"sleep", "99"}, want)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := paneOf(t.Context(), m, got.PID); !ok || p.ID != got.Pane || p.Name != got.Name || !strings.HasPrefix(got.Name, "work:") {
			t.Errorf("%s: %+v, but it is in %+v", where, got, p)
		}
		name := strings.TrimSpace(s.tmux("display-message", "-p", "-t", got.Pane, "#{window_name}"))
		if where == host.Window && name != "(rm -rf) a very lon…" {
			t.Errorf("the window is called %q", name)
		}
	}
}

// TestStartFailure: the output of a failed program stays visible.
func TestStartFailure(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 100, 30, t.TempDir(), "PATH="+os.Getenv("PATH"))
	client := s.watch()
	m := muxOf(s)
	dir := t.TempDir()
	for _, where := range []string{host.Window, host.Split} {
		got, err := launch.StartInTmux(t.Context(), m, where, dir, nil, []string{"sh", "-c", "echo why it failed; sleep 0.1; exit 3"}, "fails")
		if err != nil {
			t.Fatal(err)
		}
		state := func() string {
			s.tmux("run-shell", "true") // tmux notices that programs have ended
			return strings.TrimSpace(s.tmux("display-message", "-p", "-t", got.Pane, "#{pane_dead} #{pane_dead_status}"))
		}
		eventually(t, where+" kept", func() bool { return state() == "1 3" })
		if text := s.tmux("capture-pane", "-p", "-t", got.Pane); !strings.HasPrefix(text, "why it failed\n") {
			t.Errorf("%s: the pane has\n%s", where, text)
		}
		client.wait("why it failed")
		s.tmux("kill-pane", "-t", got.Pane)
	}
	if _, err := launch.StartInTmux(t.Context(), m, host.Window, dir, nil, []string{"true"}, "ends"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "one window again", func() bool {
		s.tmux("run-shell", "true")
		return strings.Count(s.tmux("list-panes", "-a"), "\n") == 1
	})

	// After a while, the pane of a failed program closes too.
	got, err := launch.StartInTmux(t.Context(), m, host.Window, dir, nil, []string{"sleep", "99"}, "lasts")
	if err != nil {
		t.Fatal(err)
	}
	kept := func() string { return s.tmux("show-options", "-p", "-t", got.Pane, "remain-on-exit") }
	if kept() != "remain-on-exit failed\n" {
		t.Errorf("at first: %s", kept())
	}
	eventually(t, "let go of a pane", func() bool { return kept() == "" })
	s.tmux("kill-pane", "-t", got.Pane)

	ended := make(chan error, 1)
	go func() {
		_, err := launch.StartInTmux(t.Context(), m, host.Popup, dir, nil, []string{"sh", "-c", "echo why it failed; exit 3"}, "")
		ended <- err
	}()
	client.wait(`│why it failed`)
	select {
	case err := <-ended:
		t.Errorf("the popup did not wait: %v", err)
	default:
	}
	client.keys("Escape")
	if err := <-ended; err != nil {
		t.Errorf("the popup: %v", err)
	}
	client.gone("why it failed")
}

// TestStartRefused: if a program can't be started, no window is opened.
func TestStartRefused(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 20, 5, t.TempDir())
	m := muxOf(s)
	dir := t.TempDir()
	outside := *m
	outside.Inside = false
	gone := filepath.Join(dir, "gone")
	server := *m
	server.Environ = append(slices.Clone(m.Environ), "TMUX="+gone+",1,0")
	long := strings.Repeat("x", 20_000)
	for _, tt := range []struct {
		name       string
		m          *host.Tmux
		where, dir string
		argv       []string
		want       string
	}{
		{"no tmux", &host.Tmux{}, host.Window, dir, []string{"true"}, "tmux isn't on the PATH."},
		{"outside", &outside, host.Popup, dir, []string{"true"}, "This is not inside tmux, so it can't open a popup."},
		{"no server", &server, host.Window, dir, []string{"true"}, "tmux does not answer: error connecting to " + gone},
		{"another place", m, "tab", dir, []string{"true"}, "A program can be started in a window, a split or a popup, not in tab."},
		{"no program", m, host.Window, dir, nil, "start in tmux: no program"},
		{"a path with =", m, host.Window, dir, []string{"/opt/a=b/claude"}, "tmux can't start a program whose path contains =."},
		{"no folder", m, host.Window, gone, []string{"true"}, "tmux opened no window: there is no folder " + gone + "."},
		{"too long", m, host.Window, dir, []string{"true", long}, "tmux opened no window: command too long."},
		{"nobody looks", m, host.Popup, dir, []string{"true"}, "tmux opened no popup: no current client."},
		{"no room", m, host.Split, dir, []string{"sleep", "99"}, ""},
	} {
		_, err := launch.StartInTmux(t.Context(), tt.m, tt.where, tt.dir, nil, tt.argv, "")
		if tt.want == "" { // splits, until no more fits
			for err == nil {
				_, err = launch.StartInTmux(t.Context(), tt.m, tt.where, tt.dir, nil, tt.argv, "")
			}
			tt.want = "tmux opened no split: "
		}
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
		if n := strings.Count(s.tmux("list-windows"), "\n"); n != 1 {
			t.Errorf("%s: %d windows", tt.name, n)
		}
	}
}
