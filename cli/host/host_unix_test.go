//go:build unix

package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeProgram puts a script on the PATH of a Host. root is an empty folder.
func fakeProgram(t *testing.T, name, script string) (h Host, root string) {
	t.Helper()
	bin, root := t.TempDir(), t.TempDir()
	putProgram(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
	return Host{Environ: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}, root
}

func brOf(t *testing.T, h Host) string {
	t.Helper()
	path, ok := h.BrProgram("br")
	if !ok {
		t.Fatal("br was not found")
	}
	return path
}

func TestAsk(t *testing.T) {
	t.Parallel()
	h, root := fakeProgram(t, "chatty", "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done")
	program, err := h.LookPath("chatty")
	if err != nil {
		t.Fatal(err)
	}
	text, err := h.Ask(t.Context(), time.Minute, program)
	if err != nil || len(text) != answerLimit || !strings.HasPrefix(text, "0123456789\n0123") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := h.LookPath("gone"); !errors.Is(err, ErrNoProgram) {
		t.Errorf("missing program: %v", err)
	}
	if path, err := (Host{Environ: []string{"PATH=.:" + filepath.Base(root)}}).LookPath("chatty"); err == nil {
		t.Errorf("found %s in a relative element of the PATH", path)
	}
}

// hasEnded waits up to 2 s for the end of a process.
func hasEnded(pid int) bool {
	for range 200 {
		if status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(status), ") Z") {
			return true // a zombie
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestBrGroup: the child processes of br must end with br.
func TestBrGroup(t *testing.T) {
	t.Parallel()
	ended := func(root string) bool {
		text, err := os.ReadFile(filepath.Join(root, "child"))
		pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || bad != nil {
			t.Fatalf("the child did not run: %v, %v", err, bad)
		}
		return hasEnded(pid)
	}
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		h, root := fakeProgram(t, "br", `sleep 60 & echo $! >half; mv half child; wait`)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for {
				if _, err := os.Stat(filepath.Join(root, "child")); err == nil || ctx.Err() != nil {
					cancel()
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		if _, err := h.Br(ctx, time.Minute, brOf(t, h), root, "ready", "--json"); !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
		if !ended(root) {
			t.Error("its child process is still running")
		}
	})
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		h, root := fakeProgram(t, "br", `sleep 60 & echo $! >child; wait`)
		_, err := h.Br(t.Context(), 3*time.Second, brOf(t, h), root, "wait")
		if !errors.Is(err, ErrSilent) || !ended(root) {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("left behind", func(t *testing.T) {
		t.Parallel()
		h, root := fakeProgram(t, "br", `sleep 60 >/dev/null 2>&1 & echo $! >child; echo '[]'`)
		if _, err := h.Br(t.Context(), time.Minute, brOf(t, h), root, "ready", "--json"); err != nil || !ended(root) {
			t.Errorf("error is %v, or its child process is still running", err)
		}
	})
}
