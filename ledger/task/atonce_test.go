package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
)

const (
	actorRoot    = "CONTINUO_TEST_TASK_ROOT"
	actorJournal = "CONTINUO_TEST_TASK_JOURNAL"
	actorSaves   = 12
)

// TestActor is the process that TestAtOnce starts several times.
func TestActor(t *testing.T) {
	root := os.Getenv(actorRoot)
	if root == "" {
		t.Skip("runs only as a process of TestAtOnce")
	}
	b := &bench{root: root, now: time.Date(2025, 12, 4, 11, 0, 0, 0, time.UTC)}
	b.store = &act.Store{Journal: os.Getenv(actorJournal), Now: time.Now}
	fmt.Println(drilltest.Ready)
	for n := range actorSaves {
		summary := fmt.Sprintf("%d-%d", os.Getpid(), n)
		if _, err := b.do(t, b.save(Decided, "", `{"summary":"`+summary+`"}`), -1); err != nil {
			t.Fatal(err)
		}
		fmt.Println(summary)
	}
}

func TestAtOnce(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	b := newBench(t)
	b.must(t, b.start("G4"))
	var actors []drilltest.Process
	for range 3 {
		actors = append(actors, drilltest.Start(t, "TestActor", actorRoot+"="+b.root, actorJournal+"="+b.store.Journal))
	}
	saved := 0
	summaries := map[string]bool{}
	for _, a := range actors {
		for a.Lines.Scan() {
			if line := a.Lines.Text(); strings.Contains(line, "-") && !strings.Contains(line, " ") {
				saved, summaries[line] = saved+1, true
			}
		}
		if err := a.Wait(); err != nil {
			t.Error(err)
		}
	}
	task := b.read(t)
	for _, c := range task.Checkpoints {
		delete(summaries, c.Summary)
	}
	if saved != 3*actorSaves || len(task.Checkpoints) != saved || len(summaries) > 0 {
		t.Errorf("%d were saved, %d are there, %v are lost", saved, len(task.Checkpoints), summaries)
	}
	b.verified(t)
}

// TestShownIsOld: another program changes the task after a checkpoint is planned. A further checkpoint is harmless,
// but a suspended session isn't.
func TestShownIsOld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(t, b.start("G4"))
	plan := func(p planner) act.Planner {
		return func(ctx context.Context) (change.Change, error) { return p(ctx, b.read(t)) }
	}
	shown, err := b.save(Decided, "", `{"summary":"mine"}`)(t.Context(), b.read(t))
	if err != nil {
		t.Fatal(err)
	}
	b.must(t, b.save(Decided, "", `{"summary":"other"}`))
	if _, err := b.store.Do(t.Context(), &shown, plan(b.save(Decided, "", `{"summary":"mine"}`))); err != nil {
		t.Error(err)
	}
	b.verified(t)
	b.must(t, b.move(Suspended))
	_, err = b.store.Do(t.Context(), &shown, plan(b.save(Decided, "", `{"summary":"mine"}`)))
	if _, ok := errors.AsType[*MoveError](err); !ok || len(b.read(t).Checkpoints) != 2 {
		t.Errorf("%v, %d checkpoints", err, len(b.read(t).Checkpoints))
	}
}
