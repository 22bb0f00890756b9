package disk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// fullMounts tells a process that it has mounts of its own.
const fullMounts = "CONTINUO_TEST_DISK_MOUNTS"

// TestFull runs TestFullDisk where nothing that it mounts is seen by others, and is gone with it.
func TestFull(t *testing.T) {
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
		t.Skipf("no full disk was tried: a process may have no mounts of its own here: %v", err)
	}
	if bytes.Contains(out, []byte("--- SKIP: TestFullDisk (")) {
		t.Skipf("no full disk was tried: nothing may be mounted here:\n%s", out)
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestFullDisk (")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFullDisk is a process of TestFull: with ever more room, each way to write leaves the old text or the new one.
func TestFullDisk(t *testing.T) {
	if os.Getenv(fullMounts) == "" {
		t.Skip("a part of TestFull")
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Skipf("mount: %v", err)
	}
	long := strings.Repeat("new\n", 10_000)
	for _, o := range []struct {
		name, want string
		do         func(r *Root) error
	}{
		{"replace", long, func(r *Root) error { return r.Replace("a", []byte(long), 0o600) }},
		{"hidden", long, func(r *Root) error {
			temp, err := r.CreateHidden(".", 0o600)
			if err != nil {
				return err
			}
			defer temp.Drop()
			if _, err := temp.Write([]byte(long)); err != nil {
				return err
			}
			return temp.Replace("a")
		}},
		{"append", "old\n" + long, func(r *Root) error { return r.AppendLine("a", []byte(long[:len(long)-1]), 0o600) }},
	} {
		failed, done := 0, 0
		for free := range 16 { // blocks: the new text has 10
			r := newRoot(t)
			if err := syscall.Mount("tmpfs", r.Path(), "tmpfs", 0, "size=128k"); err != nil {
				t.Fatal(err)
			}
			if r, err := Open(r.Path()); err != nil {
				t.Error(err)
			} else {
				r.put(t, "a", "old\n")
				fill(t, r, free)
				switch err := o.do(r); {
				case err == nil:
					done++
					r.has(t, "a", o.want)
				case errors.Is(err, syscall.ENOSPC):
					failed++
					r.has(t, "a", "old\n")
				default:
					t.Errorf("%s: %v", o.name, err)
				}
				if left := r.Temps("."); len(left) > 0 {
					t.Errorf("%s: left %v", o.name, left)
				}
				_ = r.Close()
			}
			if err := syscall.Unmount(r.Path(), 0); err != nil {
				t.Fatal(err)
			}
		}
		if failed == 0 || done == 0 {
			t.Errorf("%s: %d failed, %d did not: it is no drill", o.name, failed, done)
		}
	}
}

// fill leaves some blocks of a file system free.
func fill(t *testing.T, r *Root, free int) {
	t.Helper()
	n := 0
	for ; ; n++ {
		if err := os.WriteFile(r.At(fmt.Sprintf("fill%d", n)), make([]byte, 4096), 0o600); err != nil {
			break
		}
	}
	for i := range free + 1 { // the last one has no block
		if err := os.Remove(r.At(fmt.Sprintf("fill%d", n-i))); err != nil {
			t.Fatal(err)
		}
	}
}
