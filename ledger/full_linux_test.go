package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

// fullMounts tells a process that it has mounts of its own.
const fullMounts = "CONTINUO_TEST_LEDGER_MOUNTS"

// TestFullAndReadOnly runs TestFullDisk where nothing that it mounts is seen by others, and is gone with it.
func TestFullAndReadOnly(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), fullMounts+"=own")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if _, ran := errors.AsType[*exec.ExitError](err); err != nil && !ran {
		t.Skipf("no full disk and no read-only one was tried: a process may have no mounts of its own here: %v", err)
	}
	if bytes.Contains(out, []byte("--- SKIP: TestFullDisk (")) {
		t.Skipf("no full disk and no read-only one was tried: nothing may be mounted here:\n%s", out)
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestFullDisk (")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFullDisk is a process of TestFullAndReadOnly.
func TestFullDisk(t *testing.T) {
	if os.Getenv(fullMounts) == "" {
		t.Skip("a part of TestFullAndReadOnly")
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Skipf("mount: %v", err)
	}
	appendToFull(t)
	long := strings.Repeat("new\n", 10_000)
	failed, done := 0, 0
	for free := range 16 { // blocks: the new text has 10
		p := mounted(t, "size=128k")
		p.write("NOTES.md", "old\n")
		fill(t, p.dir, free)
		switch err := p.replace("NOTES.md", long); {
		case err == nil:
			done++
			p.has("NOTES.md", long)
		case errors.Is(err, syscall.ENOSPC):
			failed++
			p.has("NOTES.md", "old\n")
		default:
			t.Error(err)
		}
		if err := p.add("new/NOTES.md", long); err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Error(err)
		} else if _, there := os.Lstat(p.path("new/NOTES.md")); (err == nil) != (there == nil) || len(p.temps("new")) > 0 {
			t.Errorf("%d free: %v, %v", free, err, there)
		}
	}
	if failed == 0 || done == 0 {
		t.Errorf("%d failed, %d did not: it is no drill", failed, done)
	}

	p := mounted(t, "size=1m")
	p.write("NOTES.md", "old\n")
	if err := syscall.Mount("", p.dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"NOTES.md", "new.md", "new/new.md"} {
		if err := p.replace(name, long); !errors.Is(err, syscall.EROFS) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.has("NOTES.md", "old\n")
	for _, name := range []string{"NOTES.md", "new.jsonl", "new/new.jsonl"} {
		if err := ledger.AppendLine(t.Context(), p.dir, name, []byte("{}")); !errors.Is(err, syscall.EROFS) {
			t.Errorf("append to %s: %v", name, err)
		}
	}
	p.has("NOTES.md", "old\n")
}

// appendToFull appends while there is ever more room: what was there stays, and what comes next has a line of its own.
func appendToFull(t *testing.T) {
	t.Helper()
	line := strings.Repeat("x", 40_000)
	failed, done := 0, 0
	for free := range 16 { // blocks: the line has 10
		p := mounted(t, "size=128k")
		p.write("a.jsonl", "old\n")
		fill(t, p.dir, free)
		err := ledger.AppendLine(t.Context(), p.dir, "a.jsonl", []byte(line))
		text, read := os.ReadFile(p.path("a.jsonl"))
		rest, kept := strings.CutPrefix(string(text), "old\n")
		switch {
		case read != nil || !kept:
			t.Errorf("%d free: %d bytes, %v", free, len(text), read)
		case err == nil:
			done++
			if rest != line+"\n" {
				t.Errorf("%d free: %d bytes of it", free, len(rest))
			}
			continue
		case !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(line, rest):
			t.Errorf("%d free: %d bytes of it, %v", free, len(rest), err)
		}
		failed++
		for n := 0; ; n++ { // there is room again
			if os.Remove(p.path(fmt.Sprintf("fill%d", n))) != nil {
				break
			}
		}
		if err := ledger.AppendLine(t.Context(), p.dir, "a.jsonl", []byte("next")); err != nil {
			t.Error(err)
		}
		want := "old\nnext\n"
		if rest != "" {
			want = "old\n" + rest + "\nnext\n"
		}
		p.has("a.jsonl", want)
	}
	if failed == 0 || done == 0 {
		t.Errorf("%d failed, %d did not: it is no drill", failed, done)
	}
}

// mounted is a directory on a file system of its own.
func mounted(t *testing.T, options string) project {
	t.Helper()
	p := newProject(t)
	if err := syscall.Mount("tmpfs", p.dir, "tmpfs", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(p.dir, 0); err != nil {
			t.Error(err)
		}
	})
	return p
}

// fill leaves some blocks of a file system free.
func fill(t *testing.T, dir string, free int) {
	t.Helper()
	block := make([]byte, 4096)
	n := 0
	for ; ; n++ {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("fill%d", n)), block, 0o600); err != nil {
			break
		}
	}
	for i := range free + 1 { // the last one has no block
		if err := os.Remove(filepath.Join(dir, fmt.Sprintf("fill%d", n-i))); err != nil {
			t.Fatal(err)
		}
	}
}
