//go:build unix

package act_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// drillKills is the number of kills. Use -args -drill=1000 for a full drill.
var drillKills = flag.Int("drill", drilltest.Rounds(60), "how often the drill kills an actor") //nolint:gochecknoglobals // a flag

const (
	drillHome = "CONTINUO_TEST_ACT"      // directory of the process to kill
	drillPart = "CONTINUO_TEST_ACT_PART" // task of the process
	drillSeed = "CONTINUO_TEST_ACT_SEED" // seed for the order of the ops
	drillStep = "CONTINUO_TEST_ACT_STEP" // step at which the process kills itself; -1 for never

	drillNotes   = 5                    // number of notes per actor
	drillRubbish = "rubbish: rubbish\n" // line of tree for the file rubbish
)

func TestMain(m *testing.M) { os.Exit(drilltest.InMemory(m)) }

// drillOps returns an op of each verb, in an order that depends on the seed. An odd seed adds two ops: one deletes a
// file, one runs a program. Only the journal shows whether these two were carried out.
func drillOps(t *testing.T, b *bench, seed uint64) []change.Op {
	t.Helper()
	ops := b.every(t)
	if seed%2 == 1 {
		rubbish := b.move(t, "rubbish", "")
		rubbish.Verb = change.Delete
		ops = append(ops, rubbish, change.Op{Verb: change.Run, Dir: b.dir, Name: "."})
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	isIndex := func(o change.Op) bool { return o.Name == "index" }
	if i := slices.IndexFunc(ops, isIndex); string(ops[i].Text) == "last" { // of the two writes to index, "first" must come first
		j := i + 1 + slices.IndexFunc(ops[i+1:], isIndex)
		ops[i], ops[j] = ops[j], ops[i]
	}
	return ops
}

// TestDrillActor runs in the killed process. It changes and undoes in a loop, or recovers a killed change.
func TestDrillActor(t *testing.T) {
	home := os.Getenv(drillHome)
	if home == "" {
		t.Skip("runs only as a process of the drills")
	}
	b := benchIn(home)
	last, _ := strconv.Atoi(os.Getenv(drillStep))
	step := 0
	b.store.Step = func(string, string) error {
		if step++; last >= 0 && step > last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	fmt.Println(drilltest.Ready)
	switch os.Getenv(drillPart) {
	case "recover":
		b.store.FinishInterrupted(t.Context())
	case "hold": // keep a lock until the process is killed
		b.store.Run = func(context.Context, *change.Op) error {
			fmt.Println("holds")
			time.Sleep(time.Hour) // the runtime would report select {} as a deadlock
			return nil
		}
		_, err := b.do(t, change.Op{Verb: change.Run, Dir: b.dir, Name: ".", Lock: ".lock"})
		t.Fatal(err)
	case "notes":
		for n := range drillNotes {
			b.takeNote(t, fmt.Sprintf("%d-%d", os.Getpid(), n))
		}
	default:
		seed, _ := strconv.ParseUint(os.Getenv(drillSeed), 10, 64)
		done, err := b.do(t, drillOps(t, b, seed)...)
		for range 3 {
			if err == nil {
				done, err = b.undo(t, done.ID)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println(step)
}

// actor is a process that is killed.
type actor struct{ run drilltest.Process }

// start starts an actor and waits until it is ready.
func (b *bench) start(t *testing.T, part string, seed uint64, step int) actor {
	t.Helper()
	return actor{drilltest.Start(t, "TestDrillActor", drillHome+"="+filepath.Dir(b.dir), drillPart+"="+part,
		drillSeed+"="+strconv.FormatUint(seed, 10), drillStep+"="+strconv.Itoa(step), "GORACE=atexit_sleep_ms=0")}
}

func (a actor) says(t *testing.T, line string) {
	t.Helper()
	if !a.run.Lines.Scan() || a.run.Lines.Text() != line {
		t.Errorf("the actor printed %q", a.run.Lines.Text())
	}
}

// end waits for the actor's exit. Without a kill, it also returns the number of steps.
func (a actor) end(t *testing.T) (killed bool, steps int) {
	t.Helper()
	var lines []string
	for a.run.Lines.Scan() {
		lines = append(lines, a.run.Lines.Text())
	}
	err := a.run.Wait()
	if status, ok := a.run.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return true, 0
	}
	if err != nil || len(lines) == 0 {
		t.Fatalf("%v, the actor printed:\n%s", err, strings.Join(lines, "\n"))
	}
	if steps, err = strconv.Atoi(lines[0]); err != nil {
		t.Fatal(err)
	}
	return false, steps
}

// sweep deletes temporary files as the next writer would. No other files of continuo may be left.
func (b *bench) sweep(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || disk.IsTemp(d.Name()) {
			return err
		}
		root, err := disk.Open(path)
		if err != nil {
			return err
		}
		defer root.Close()
		root.Sweep(".")
		names, err := root.Names(".")
		for _, name := range names {
			if strings.HasPrefix(name, ".continuo-") {
				t.Errorf("left: %s", root.At(name))
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKilled: an actor is killed at random points. The change is done completely or not at all, as the journal says.
func TestKilled(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d kills, seed %d", *drillKills, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	took, steps, kills, recovering, afters := time.Duration(0), 0, 0, 0, 0
	for round := uint64(0); kills < *drillKills; round++ {
		b := newBench(t)
		b.fill(t)
		b.write(t, "rubbish", "rubbish")
		before, ops := b.tree(t), rnd.Uint64()
		step, sleep := -1, time.Duration(0)
		switch {
		case steps == 0: // the first run counts the steps
		case round%2 == 0:
			step = rnd.IntN(steps)
		default:
			sleep = time.Duration(rnd.Int64N(int64(took)))
		}
		start := time.Now()
		a := b.start(t, "do", ops, step)
		if sleep > 0 {
			time.Sleep(sleep)
			_ = a.run.Process.Kill() // fails if the process has already exited
		}
		killed, ran := a.end(t)
		if !killed {
			took, steps = time.Since(start), ran
			continue
		}
		kills++
		if round%3 == 0 {
			if killed, _ = b.start(t, "recover", 0, rnd.IntN(30)).end(t); killed {
				kills, recovering = kills+1, recovering+1
			}
		}
		if b.checkKilled(t, before, ops%2 == 1, round%4 < 2) {
			afters++
		}
		if t.Failed() {
			t.Fatalf("round %d, ops %d, step %d after %v", round, ops, step, sleep)
		}
	}
	t.Logf("%d kills: %d as after, %d during a recovery; %d steps in %v", kills, afters, recovering, steps, took)
	if *drillKills >= 60 && (afters == 0 || afters == kills || recovering == 0) {
		t.Error("no useful drill: kills always had the same result")
	}
}

// checkKilled finishes the change of a killed process and returns whether the change was done. The journal must
// agree.
func (b *bench) checkKilled(t *testing.T, before string, deletes, recovers bool) (after bool) {
	t.Helper()
	if recovers {
		b.store.FinishInterrupted(t.Context())
	}
	next := change.Op{Verb: change.Make, Dir: filepath.Dir(b.dir), Name: "next", Text: []byte("next"), Mode: 0o600}
	if _, err := b.do(t, next); err != nil {
		t.Errorf("the next Do: %v", err)
	}
	b.sweep(t)
	list, problems := journal.Open(b.store.Journal).List(t.Context())
	if len(problems) > 0 || len(list) == 0 {
		t.Fatal(list, problems)
	}
	list = list[1:] // skip the entry of the next Do
	for _, e := range list {
		if !e.Done {
			t.Errorf("not done: %s, stuck %v", e.ID, e.Stuck)
		}
	}
	want, after := before, len(list)%2 == 1
	if after {
		want = everyAfter
	}
	got := b.tree(t)
	rest := strings.Replace(got, drillRubbish, "", 1)
	if is := difference(rest, strings.Replace(want, drillRubbish, "", 1)); is != "" {
		t.Errorf("after %d entries:\n%s", len(list), is)
	}
	if there := rest != got; !there && !deletes || there && deletes && len(list) > 0 {
		t.Errorf("the deleted file (%v) exists (%v) after %d entries", deletes, there, len(list))
	}
	return after
}

// takeNote adds the line id to the notes, and moves todo/id to done/id.
func (b *bench) takeNote(t *testing.T, id string) {
	t.Helper()
	b.write(t, "todo/"+id, id)
	path, moved := filepath.Join(b.dir, "notes"), b.move(t, "todo/"+id, "done/"+id)
	plan := func(context.Context) (change.Change, error) {
		now, err := os.ReadFile(path)
		insert := change.Op{
			Verb: change.Insert, Dir: b.dir, Name: "notes", Text: []byte(id + "\n"), Lock: ".lock", At: int64(len(now)), Was: change.Sum(now),
		}
		return change.Change{Kind: "note", What: "Noted it", Ops: []change.Op{insert, moved}}, err
	}
	shown, err := plan(t.Context())
	if err == nil {
		_, err = b.store.Do(t.Context(), &shown, plan)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestAtOnce: several processes add notes. Each note is added once.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	const actors = 6
	b := newBench(t)
	b.write(t, "notes", "")
	var all [actors]actor
	for i := range all {
		all[i] = b.start(t, "notes", 0, -1)
	}
	for _, a := range all {
		a.end(t)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "notes"))
	lines := slices.Sorted(strings.FieldsSeq(string(text)))
	if notes := slices.Compact(slices.Clone(lines)); err != nil || len(notes) != actors*drillNotes || len(lines) != len(notes) {
		t.Errorf("%d lines, %d notes, %v", len(lines), len(notes), err)
	}
	want := "todo/\ndone/\nnotes: " + string(text)
	for _, id := range lines {
		want += "\ndone/" + id + ": " + id
	}
	if is := difference(b.tree(t), want); is != "" {
		t.Error(is)
	}
}

// TestHolderStopped: a stopped process (SIGSTOP) has a lock. Others give up after a limited time.
func TestHolderStopped(t *testing.T) {
	t.Parallel()
	for _, journaled := range []bool{true, false} {
		t.Run(fmt.Sprint(journaled), func(t *testing.T) {
			t.Parallel()
			b := newFilled(t)
			a := b.start(t, "hold", 0, -1)
			a.says(t, "holds")
			if err := a.run.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			if !journaled { // another journal, so that only the file's lock is taken
				b.store.Journal += "2"
			}
			before, start := b.tree(t), time.Now()
			recovered := make(chan bool)
			go func() {
				defer close(recovered)
				b.store.FinishInterrupted(t.Context())
			}()
			_, err := b.do(t, b.around(t, "whole")...)
			<-recovered
			if took := time.Since(start); !errors.Is(err, disk.ErrLocked) || took > 3*disk.LockLimit || !strings.Contains(err.Error(), filepath.Dir(b.dir)) {
				t.Errorf("%v after %v", err, took)
			}
			if is := difference(b.tree(t), before); is != "" {
				t.Error(is)
			}
			if err := a.run.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			a.end(t)
			if _, err := b.do(t, b.around(t, "whole")...); err != nil {
				t.Error(err)
			}
			for _, e := range b.list(t) {
				if !e.Done {
					t.Errorf("in the journal: %+v", e)
				}
			}
		})
	}
}
