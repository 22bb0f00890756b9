package drilltest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// mounts is the environment variable that marks a process with its own mount namespace.
const mounts = "CONTINUO_TEST_MOUNTS"

// InMounts runs the calling test in a new process with its own mount namespace, and calls do there. The mounts end
// with the process. Without such namespaces, the test is skipped.
func InMounts(t *testing.T, do func(t *testing.T)) {
	t.Helper()
	if os.Getenv(mounts) != "" {
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			t.Skipf("mount: %v", err)
		}
		do(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), mounts+"=own")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if _, ran := errors.AsType[*exec.ExitError](err); err != nil && !ran {
		t.Skipf("cannot create a mount namespace: %v", err)
	}
	if bytes.Contains(out, []byte("--- SKIP: "+t.Name()+" (")) {
		t.Skipf("mounting isn't allowed:\n%s", out)
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" (")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Mount mounts an empty file system on a directory until t ends. options are options of tmpfs, such as "size=128k".
func Mount(t *testing.T, dir, options string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// Fill fills the file system of dir, except for room for free files of size bytes. With the size 4096, it fills all
// blocks. With 0, it uses all inodes. empty removes the new files.
func Fill(t *testing.T, dir string, size, free int) (empty func()) {
	t.Helper()
	var made []string
	for {
		name := filepath.Join(dir, fmt.Sprint("fill-", len(made)))
		if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			_ = os.Remove(name) // a file that didn't fit may still exist
			break
		}
		made = append(made, name)
	}
	kept := max(0, len(made)-free)
	remove := func(names []string) {
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				t.Error(err)
			}
		}
	}
	remove(made[kept:])
	return func() { remove(made[:kept]) }
}
