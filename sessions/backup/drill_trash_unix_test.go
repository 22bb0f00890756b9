//go:build unix

package backup

import (
	"context"
	"errors"
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

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// trashDrill holds the directory of the killed process, trashDrill_WHAT its action, trashDrill_STEP the step.
const trashDrill = "CONTINUO_DRILL_TRASH"

func (w world) drillActor() *act.Store {
	s := actor(at(w.t, trashNow))
	s.Journal = w.path("../journal")
	return s
}

func (w world) drillDo(ctx context.Context, s *act.Store, what string) error {
	switch what {
	case "discard":
		plan, err := w.m.PlanDiscard(ctx, nil)
		if err == nil {
			_, err = w.m.discardBy(ctx, s, plan)
		}
		return err
	case "put back":
		_, err := w.m.undoBy(ctx, s, "")
		return err
	case "restore":
		_, err := w.m.restoreBy(ctx, s, w.restorePlan(w.memory("raw/20260101_000000Z_exit.jsonl")))
		return err
	case "undo":
		list, problems := journal.Open(s.Journal).List(ctx)
		for _, e := range list {
			if e.Kind == journal.Restore && e.Undone == "" {
				return undoRestore(ctx, s, e)
			}
		}
		return errors.Join(append(problems, errors.New("nothing was restored"))...)
	default:
		plan, err := w.m.Trash().PlanEmpty(ctx)
		if err == nil {
			_, err = w.m.emptyBy(ctx, s, plan)
		}
		return err
	}
}

// drillFill makes the backups of the drill. Two are pending.
func (w world) drillFill() {
	a := w.backup("raw/20260101_000000Z_exit.jsonl", idOne, strings.Repeat("a", 2_000_000))
	b := w.backup("sessions/raw/20260201_000000Z_compact.jsonl", idTwo, strings.Repeat("b", 20_000))
	w.backup("raw/20260301_000000Z_exit.jsonl", idTwo, "c")
	w.mark(".pending-backup", a+"\n")
	w.mark(".pending-backup-exit", a)
	w.mark(".pending-backup-compact", b+"\n")
	w.mark(".pending-backup-compact-2", "")
}

// state returns the files of the memory and config directories, without temporary files. It also has the directories
// of the config directory.
func (w world) state() map[string]string {
	files := tree(w.t, w.memory(""))
	for name, text := range tree(w.t, w.projects) {
		files["projects/"+name] = text
	}
	err := filepath.WalkDir(w.projects, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			files[path] = "directory"
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	maps.DeleteFunc(files, func(name, _ string) bool { return disk.IsTemp(filepath.Base(name)) })
	return files
}

// TestTrashDrill: a process is killed at random points of an action. The action is done completely or not at all.
func TestTrashDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	w := worldIn(t, dir)
	w.drillFill()
	// The possible actions in each state, and the next states.
	ways := map[string]map[string]string{
		"full": {"discard": "trashed", "restore": "restored"}, "trashed": {"put back": "full", "empty": "emptied"}, "restored": {"undo": "full"},
	}
	states, steps := map[string]map[string]string{"full": w.state()}, map[string]int{}
	do := func(from, what string) {
		s := w.drillActor()
		s.Step = func(string, string) error { steps[what]++; return nil }
		if err := w.drillDo(t.Context(), s, what); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		to := ways[from][what]
		if states[to] == nil {
			states[to] = w.state()
		}
		same(t, what, w.state(), states[to])
	}
	do("full", "discard")
	do("trashed", "put back")
	do("full", "restore")
	do("restored", "undo")
	do("full", "discard")
	do("trashed", "empty")
	w.drillFill()
	at, done := "full", 0
	for round := range *drillRounds {
		what := slices.Sorted(maps.Keys(ways[at]))[rnd.IntN(len(ways[at]))]
		step, after := -1, time.Duration(rnd.Int64N(int64(40*time.Millisecond)))
		if round%2 == 0 {
			step, after = rnd.IntN(steps[what]), time.Minute
		}
		w.kill(what, step, after)
		w.drillActor().FinishInterrupted(t.Context())
		before, to := states[at], ways[at][what]
		got := w.state()
		if what == "empty" && !maps.Equal(got, before) { // the next run deletes the other files
			checkEmptied(t, got, before)
			if err := w.drillDo(t.Context(), w.drillActor(), what); err != nil {
				t.Error(err)
			}
			got = w.state()
		}
		if maps.Equal(got, states[to]) {
			at, done = to, done+1
		}
		same(t, fmt.Sprintf("round %d, %s, step %d, %v", round, what, step, after), got, states[at])
		if list, problems := journal.Open(w.drillActor().Journal).List(t.Context()); len(problems) > 0 ||
			slices.ContainsFunc(list, func(e journal.Entry) bool { return !e.Done }) {
			t.Errorf("journal: %v, %v", list, problems)
		}
		if t.Failed() {
			return
		}
		if at == "emptied" {
			w.drillFill()
			at = "full"
		}
	}
	t.Logf("%d actions were completed although killed", done)
}

func checkEmptied(t *testing.T, got, before map[string]string) {
	t.Helper()
	rest := maps.Clone(before)
	maps.DeleteFunc(rest, func(name, _ string) bool { _, there := got[name]; return !there && EntryOf(name) != "" })
	same(t, "half emptied", got, rest)
}

// kill runs an action in a process, and kills the process at a step or after a time.
func (w world) kill(what string, step int, after time.Duration) {
	w.t.Helper()
	p := drilltest.Start(w.t, "TestTrashDrillWorker", trashDrill+"="+filepath.Dir(w.dir), trashDrill+"_WHAT="+what, trashDrill+"_STEP="+strconv.Itoa(step))
	alarm := time.AfterFunc(after, func() { _ = p.Process.Kill() }) // fails if the process has exited
	defer alarm.Stop()
	for p.Lines.Scan() {
		if line := p.Lines.Text(); line != "PASS" {
			w.t.Errorf("the worker says %q", line)
		}
	}
	_ = p.Wait() // returns an error, because the process was killed
}

// TestTrashDrillWorker runs in the killed process.
func TestTrashDrillWorker(t *testing.T) {
	dir := os.Getenv(trashDrill)
	if dir == "" {
		t.Skip("only the drill starts it")
	}
	step, err := strconv.Atoi(os.Getenv(trashDrill + "_STEP"))
	if err != nil {
		t.Fatal(err)
	}
	w := worldIn(t, dir)
	s := w.drillActor()
	s.Step = func(string, string) error {
		if step == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		step--
		return nil
	}
	fmt.Println(drilltest.Ready)
	if err := w.drillDo(t.Context(), s, os.Getenv(trashDrill+"_WHAT")); err != nil {
		fmt.Println(err)
		t.FailNow()
	}
}
