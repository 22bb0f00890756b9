//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// TestRememberProjectsModes: the list has mode 0600. A symlink or FIFO in its place is replaced.
func TestRememberProjectsModes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	path := d.KnownPath()
	mode := func(path string) os.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	place.RememberProjects(d.Env, []string{"/a"})
	if mode(path) != 0o600 || mode(filepath.Dir(path)) != os.ModeDir|0o700 {
		t.Errorf("%v in %v", mode(path), mode(filepath.Dir(path)))
	}
	precious := filepath.Join(home, "precious")
	if err := os.WriteFile(precious, []byte("/b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func() error{
		"link": func() error { return os.Symlink(precious, path) },
		"pipe": func() error { return syscall.Mkfifo(path, 0o600) },
	} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if got := place.KnownProjects(path); len(got) != 0 {
			t.Errorf("read through a %s: %q", name, got)
		}
		place.RememberProjects(d.Env, []string{"/a"})
		if got := place.KnownProjects(path); len(got) != 1 || mode(path) != 0o600 || readFile(t, precious) != "/b\n" {
			t.Errorf("%s: %q, %v, %q", name, got, mode(path), readFile(t, precious))
		}
	}
}

// TestStatusReadsNoTranscript: the transcript is a FIFO, so opening it would block.
func TestStatusReadsNoTranscript(t *testing.T) {
	t.Parallel()
	home, here := newStatusHome(t)
	dir := filepath.Join(home, ".claude", "projects", "p")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, resumeID+".jsonl"), filepath.Join(here, ".claude", "memory", "raw", "20261101_000000.jsonl")} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if line, _, code := runStatus(t, home, here, false, "--line"); line != "2 live · 1 waits: tides · 2 pending\n" || code != out.ExitDone {
		t.Errorf("%q %d", line, code)
	}
}
