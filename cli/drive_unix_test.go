//go:build unix

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
)

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDriveLeavesNothing runs sessions of a client with a child process. CONTINUO_LONG=1 runs 1,000.
func TestDriveLeavesNothing(t *testing.T) { //nolint:paralleltest // it counts goroutines
	n := 20
	if os.Getenv("CONTINUO_LONG") == "1" {
		n = 1000
	}
	home := t.TempDir()
	client := filepath.Join(home, "claude")
	if err := os.WriteFile(client, []byte("#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\nwhile read -r line; do :; done\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	temp := filepath.Join(home, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	env := newEnv(Program{Dir: home, Env: []string{"HOME=" + home, "PATH=/usr/bin:/bin", "TMPDIR=" + temp}})
	before, goroutines := filesIn(t, home), runtime.NumGoroutine()
	k := keeper.New(keeper.Options{Start: launch.Clients{}, Now: time.Now})
	var groups []int
	for i := range n {
		l := &resume.Launch{Argv: []string{client}, Dir: home}
		if i%2 == 0 {
			l.Writes = fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
			l.Row = sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{ID: l.Writes, Dir: filepath.Join(home, ".claude")}}
		}
		id, err := launch.Drive(t.Context(), env, k, l)
		if err == nil && i%3 == 0 {
			err = k.Send(id, "hello")
		}
		if err == nil {
			s, _ := k.Session(id)
			groups = append(groups, s.PID)
			err = k.End(id)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	k.Close()
	for _, pid := range groups {
		for try := 0; !errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH); try++ { // a killed child takes a moment to disappear
			if try == 1000 {
				t.Fatalf("the process group %d still exists", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > goroutines; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
	state := env.StateDir()
	after := slices.DeleteFunc(filesIn(t, home), func(path string) bool { return filepath.Dir(path) == state })
	if !slices.Equal(after, before) || len(filesIn(t, state)) > 2 {
		t.Errorf("files %q, before %q; state %q", after, before, filesIn(t, state))
	}
}
