//go:build unix

package stores_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/stores"
)

const (
	drillHome = "CONTINUO_TEST_STORES"      // directory of the process that is killed
	drillStep = "CONTINUO_TEST_STORES_STEP" // step at which the process kills itself
)

// drillKills is the number of kills. Use -args -drill=200 for a full drill.
var drillKills = flag.Int("drill", 20, "how often the drill kills a handover") //nolint:gochecknoglobals // a flag

func TestMain(m *testing.M) { os.Exit(drilltest.InMemory(m)) }

// TestDrillHandover runs in the killed process.
func TestDrillHandover(t *testing.T) {
	home := os.Getenv(drillHome)
	if home == "" {
		t.Skip("a part of TestKilled")
	}
	p := openProject(t, home)
	last, _ := strconv.Atoi(os.Getenv(drillStep))
	step := 0
	p.store.Step = func(string, string) error {
		if step++; step > last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	fmt.Println(drilltest.Ready)
	p.do(t, value(), stores.Context, stores.Notes, stores.Document)
}

// TestKilled: a handover to three stores is killed at random steps. Each file has its old or new text.
func TestKilled(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	whole := newProject(t, t.TempDir())
	before, steps := whole.tree(t), 0
	whole.store.Step = func(string, string) error { steps++; return nil }
	done := whole.do(t, value(), stores.Context, stores.Notes, stores.Document)
	after := whole.tree(t)
	texts := map[string]bool{}
	for _, o := range done.Ops {
		texts[string(o.Text)] = true
	}
	rnd := rand.New(rand.NewPCG(uint64(*drillKills), 0))
	undone, completed := 0, 0
	for range *drillKills {
		home, step := t.TempDir(), rnd.IntN(steps)
		p := newProject(t, home)
		run := drilltest.Start(t, "TestDrillHandover", drillHome+"="+home, drillStep+"="+strconv.Itoa(step))
		if err := run.Wait(); err == nil || run.ProcessState.Exited() {
			t.Fatalf("step %d: not killed: %v", step, err)
		}
		for file, text := range p.tree(t) {
			if text != before[file] && !texts[text] {
				t.Errorf("step %d: %s is half written:\n%s", step, file, text)
			}
		}
		p.store.FinishInterrupted(t.Context())
		switch now := fmt.Sprint(p.tree(t)); now {
		case fmt.Sprint(before):
			undone++
		case fmt.Sprint(after):
			completed++
		default:
			t.Errorf("step %d: recovered:\n%s", step, now)
		}
		p.undo(t)
		if now := p.tree(t); fmt.Sprint(now) != fmt.Sprint(before) {
			t.Errorf("step %d: after the undo:\n%v", step, now)
		}
	}
	t.Logf("%d kills at %d steps: %d handovers undone, %d completed", *drillKills, steps, undone, completed)
}
