//go:build unix

package trash_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/trash"
)

// drillRounds is the number of kills at a random time. Use -args -drill=1000 for a full drill.
var drillRounds = flag.Int("drill", 10, "how often each drill kills at a random time") //nolint:gochecknoglobals // a flag

const (
	drillDir  = "CONTINUO_TEST_REMOVE"      // config directory of the process to kill; the journal is beside it
	drillPart = "CONTINUO_TEST_REMOVE_PART" // "delete", "undo" or "recover"
	drillStep = "CONTINUO_TEST_REMOVE_STEP" // step at which the process kills itself; -1 for never
)

func TestMain(m *testing.M) { os.Exit(drilltest.InMemory(m)) }

// drillStore returns a store with its journal beside the config directory.
func drillStore(dir string) *act.Store { return newStore(filepath.Join(filepath.Dir(dir), "journal")) }

// drillDo does part: "delete", "undo" or "recover".
func drillDo(ctx context.Context, s *act.Store, dir, part string) error {
	row := rowIn(dir)
	plan := planOf(&row)
	switch part {
	case "recover":
		s.FinishInterrupted(ctx)
		return nil
	case "undo":
		list, problems := journal.Open(s.Journal).List(ctx)
		i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.Kind == journal.Delete })
		if i < 0 {
			return errors.Join(append(problems, errors.New("nothing was deleted"))...)
		}
		plan = s.UndoPlan(&list[i])
	}
	shown, err := plan(ctx)
	if err == nil {
		_, err = s.Do(ctx, &shown, plan)
	}
	return err
}

// TestDrillActor runs in the killed process.
func TestDrillActor(t *testing.T) {
	dir := os.Getenv(drillDir)
	if dir == "" {
		t.Skip("runs only as a process of the drill")
	}
	last, err := strconv.Atoi(os.Getenv(drillStep))
	if err != nil {
		t.Fatal(err)
	}
	s, step := drillStore(dir), 0
	s.Step = func(string, string) error {
		if step++; last >= 0 && step > last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	fmt.Println(drilltest.Ready)
	if err := drillDo(t.Context(), s, dir, os.Getenv(drillPart)); err != nil {
		fmt.Println(err)
		t.FailNow()
	}
}

// kill starts a process and kills it at a step or after a time. It returns false if the process exited first.
func kill(t *testing.T, dir, part string, step int, after time.Duration) bool {
	t.Helper()
	p := drilltest.Start(t, "TestDrillActor", drillDir+"="+dir, drillPart+"="+part, drillStep+"="+strconv.Itoa(step), "GORACE=atexit_sleep_ms=0")
	alarm := time.AfterFunc(after, func() { _ = p.Process.Kill() }) // fails if the process has exited
	defer alarm.Stop()
	for p.Lines.Scan() {
		if line := p.Lines.Text(); line != "PASS" {
			t.Errorf("%s says %q", part, line)
		}
	}
	_ = p.Wait() // returns an error if the process was killed
	status, ok := p.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// state maps each path in a config directory to "directory", or to the time and contents of the file.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			all[path] = "directory"
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = info.ModTime().UTC().Format(time.RFC3339Nano) + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// kept checks that each file of a session exists once, at its path or in the trash. There are no other files.
func kept(t *testing.T, dir string, placed map[string]string) {
	t.Helper()
	now := state(t, dir)
	for path, want := range placed {
		if want == "directory" {
			continue
		}
		below, err := filepath.Rel(filepath.Join(dir, "projects"), path)
		if err != nil {
			t.Fatal(err)
		}
		found := []string{}
		for at, text := range now {
			if at == path || strings.HasPrefix(at, filepath.Join(dir, trash.Name)) && strings.HasSuffix(at, string(filepath.Separator)+below) {
				if found = append(found, at); text != want {
					t.Errorf("%s has %q, want %q", at, text, want)
				}
			}
		}
		switch len(found) {
		case 1:
		case 2: // killed during a move, while the file had both names
			a, errA := os.Stat(found[0])
			b, errB := os.Stat(found[1])
			if errA != nil || errB != nil || !os.SameFile(a, b) {
				t.Errorf("two files: %q, %v, %v", found, errA, errB)
			}
		default:
			t.Errorf("%s is at %q", path, found)
		}
		for _, at := range found {
			delete(now, at)
		}
	}
	maps.DeleteFunc(now, func(_, text string) bool { return text == "directory" })
	if len(now) > 0 {
		t.Errorf("other files: %q", now)
	}
}

// TestKilled: a deletion or its undo is killed at each step and at random times. The session stays in projects/ or in
// the trash.
func TestKilled(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	for part, opposite := range map[string]string{"delete": "undo", "undo": "delete"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			rnd := rand.New(rand.NewPCG(seed, 0))
			dir, _, _ := tree(t)
			s := drillStore(dir)
			do := func(part string) {
				if err := drillDo(t.Context(), s, dir, part); err != nil {
					t.Fatalf("%s: %v", part, err)
				}
			}
			placed := state(t, dir)
			start := time.Now()
			do("delete")
			took, trashed := time.Since(start), state(t, dir)
			from, to := trashed, placed
			if part == "delete" {
				do("undo")
				from, to = placed, trashed
			}
			steps, completed, undone := 0, 0, 0
			for round, random := 0, 0; random < *drillRounds; round++ {
				step, after := round, time.Minute
				if steps > 0 { // all steps were tried
					random++
					step, after = -1, time.Duration(rnd.Int64N(int64(2*took)))
				}
				if !kill(t, dir, part, step, after) && steps == 0 {
					steps = round
				}
				kept(t, dir, placed)
				if round%3 == 0 && kill(t, dir, "recover", rnd.IntN(12), time.Minute) {
					kept(t, dir, placed)
				}
				s.FinishInterrupted(t.Context())
				switch now := state(t, dir); {
				case maps.Equal(now, to):
					completed++
				case maps.Equal(now, from):
					undone++
					do(part)
				default:
					t.Errorf("neither in place nor in the trash: %q", now)
				}
				if now := state(t, dir); !maps.Equal(now, to) {
					t.Errorf("after the next %s: %q", part, now)
				}
				list, problems := journal.Open(s.Journal).List(t.Context())
				if len(problems) > 0 || slices.ContainsFunc(list, func(e journal.Entry) bool { return !e.Done }) {
					t.Errorf("journal: %+v, %v", list, problems)
				} else if list[0].Kind == journal.Undo && list[0].Of == list[1].ID && list[1].Undone != list[0].ID {
					t.Errorf("%s isn't marked as undone by %s: %+v", list[1].ID, list[0].ID, list[1])
				}
				if t.Failed() {
					t.Fatalf("round %d, step %d of %d, after %v", round, step, steps, after)
				}
				do(opposite)
				if now := state(t, dir); !maps.Equal(now, from) {
					t.Fatalf("round %d, after the %s: %q", round, opposite, now)
				}
			}
			t.Logf("%d steps; %d times completed, %d times undone", steps, completed, undone)
			if steps < 15 || completed < 2 || undone < 10 {
				t.Error("no useful drill: too few steps, or kills always had the same result")
			}
		})
	}
}
