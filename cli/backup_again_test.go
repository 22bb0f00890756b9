package cli

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

// meanwhile is a stdin that calls do before the first read.
type meanwhile struct {
	io.Reader
	do func()
}

func (m *meanwhile) Read(p []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.Reader.Read(p)
}

// runMeanwhile calls do while the question is open, then answers yes.
func (k *memoryHome) runMeanwhile(project string, do func(), args ...string) (code int, stdout, stderr string) {
	k.t.Helper()
	var out, errs strings.Builder
	d := newDeps(Program{
		Args: args, Env: []string{"HOME=" + k.home}, Dir: filepath.Join(k.home, project), Now: now,
		Stdin: &meanwhile{strings.NewReader("y\n"), do}, Stdout: &out, Stderr: &errs,
	})
	d.Typing, d.Out.Terminal, d.Err.Terminal = true, true, true
	code = execute(k.t.Context(), d.Env, d.Output, args)
	return code, out.String(), errs.String()
}

// TestRestoreLooksAgain: something changes while the question is open.
func TestRestoreLooksAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(k *memoryHome)
		text string
	}{
		"elsewhere": {func(k *memoryHome) {
			k.write(k.text(1, "tea", 2), ".claude", "projects", "-another", k.id(1)+".jsonl")
		}, "A session with this ID already exists"},
		"there": {func(k *memoryHome) { k.session(1, "tea", 1) }, "A session with this ID already exists"},
		"live": {func(k *memoryHome) {
			k.write("{", ".claude", "sessions", "1.json") // process 1 runs, and its unreadable file may name any session
		}, "A session with this ID is live."},
		"changed": {func(k *memoryHome) { k.backup("20261121_110213Z_exit", 1, "tea", 3, "") }, ""},
		"nothing": {func(*memoryHome) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newMemoryHome(t)
			k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
			code, _, stderr := k.runMeanwhile("tea", func() { c.do(k) }, "backup", "restore", "20261121")
			want := out.ExitFailed
			if name == "nothing" {
				want = out.ExitDone
			}
			made := filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, "tea")), k.id(1)+".jsonl")
			if code != want || !strings.Contains(stderr, c.text) || k.there(made) != (name == "nothing" || name == "there") {
				t.Errorf("exit code %d, made %v\n%s", code, k.there(made), stderr)
			}
		})
	}
}

// TestEmptyTrashShown: a backup is discarded while the question is open. It is kept.
func TestEmptyTrashShown(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.backup("20261120_110213Z_exit", 2, "tea", 2, "")
	if code, _, stderr := k.run("tea", "-", "backup", "discard", "20261121", "--yes"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	code, stdout, stderr := k.runMeanwhile("tea", func() {
		if code, _, stderr := k.run("tea", "-", "backup", "discard", "20261120", "--yes"); code != out.ExitDone {
			t.Error(stderr)
		}
	}, "backup", "prune", "--empty-trash")
	if code != out.ExitDone || !strings.Contains(stdout, "Deleted from the trash of tea: 1 backup, ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, _ := k.run("tea", "-", "backup", "list", "--trash", "--project", "."); code != out.ExitDone || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

func TestPruneInTheFuture(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	code, _, stderr := k.run("tea", "-", "backup", "prune", "--older-than", "2030-01-01", "--yes")
	if code != out.ExitFailed || !strings.Contains(stderr, "--older-than takes an age or a date in the past, not 2030-01-01.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
