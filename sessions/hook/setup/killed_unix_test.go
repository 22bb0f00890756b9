//go:build unix

package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
)

const (
	killedHome = "CONTINUO_TEST_KILLED"      // home directory of the process
	killedStep = "CONTINUO_TEST_KILLED_STEP" // step at which the process kills itself
	killedTask = "CONTINUO_TEST_KILLED_TASK" // "install", "uninstall" or "purge"
)

func (p place) plan(ctx context.Context, task string) Plan {
	if task == "install" {
		return must(p.PlanInstall())
	}
	p.Purge = task == "purge"
	return must(p.PlanUninstall(ctx))
}

// TestKilledWriter runs in the killed process.
func TestKilledWriter(t *testing.T) {
	home := os.Getenv(killedHome)
	if home == "" {
		t.Skip("runs only as a process of the drill")
	}
	p := placeIn(t, home)
	p.Replace, p.Gate, p.Snapshot, p.Tasks, p.Purge = true, true, true, true, os.Getenv(killedTask) == "purge"
	s := p.store()
	left := must(strconv.Atoi(os.Getenv(killedStep)))
	s.Step = func(string, string) error {
		if left--; left < 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}
	plan := p.plan(t.Context(), os.Getenv(killedTask))
	must(p.apply(s, &plan))
}

// TestKilledAnywhere: a process is killed at each step. The next action completes or undoes the change.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"install", "uninstall", "purge"} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			p := crowded(t)
			empty := p.tree()
			memory := p.in(".claude/memory")
			before, leaveOut := empty, ""
			if task != "install" {
				p.install()
				leaveOut = memory // a purge can't be undone
				before = p.tree(memory)
			}
			kills := 0
			for nth := 0; p.killed(task, nth); nth += 9 {
				kills++
				p.store().FinishInterrupted(t.Context())
				plan := p.plan(t.Context(), task)
				p.sweepAll()
				if plan.Empty() {
					break
				}
				p.same(p.tree(leaveOut), before)
			}
			if kills < 3 {
				t.Errorf("%d kills", kills)
			}
			p.install()
			p.uninstall()
			p.same(p.tree(memory), empty)
			p.noNotes()
		})
	}
}

// killed runs the process. It returns false if the process exited first.
func (p place) killed(task string, nth int) bool {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), os.Args[0], "-test.run=^TestKilledWriter$")
	cmd.Env = append(os.Environ(), killedHome+"="+p.Home, killedStep+"="+strconv.Itoa(nth), killedTask+"="+task)
	out, err := cmd.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if killed := ok && exit.Sys().(syscall.WaitStatus).Signaled(); killed || err == nil {
		return killed
	}
	p.t.Fatalf("%s, step %d: %v\n%s", task, nth, err, out)
	return false
}

// sweepAll deletes temporary files, as the next writer would.
func (p place) sweepAll() {
	p.t.Helper()
	root := must(disk.Open(p.Home))
	defer root.Close()
	if err := filepath.WalkDir(p.Home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			root.Sweep(below(p.Home, path))
		}
		return nil
	}); err != nil {
		p.t.Fatal(err)
	}
}
