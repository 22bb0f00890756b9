//go:build unix

package trajectory

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
)

// drillRounds is how often a writer is killed: a few times in every run of the tests, all with -args -drill=1000.
var drillRounds = flag.Int("drill", 25, "how often the drill kills a writer") //nolint:gochecknoglobals // a flag

// What a process that is started by a test is to do.
const (
	drillPlace = "CONTINUO_TEST_TRAJECTORY_DRILL" // directory of one that is killed
	drillFrom  = "CONTINUO_TEST_TRAJECTORY_FROM"  // its first number
	drillWho   = "CONTINUO_TEST_TRAJECTORY_WHO"   // of one that is not
)

const drillFile = "a/b/drill-2026-02-06.jsonl"

// drilled is a record of a drill: long enough to be cut off within.
type drilled struct {
	Who  string `json:"agent"`
	N    int    `json:"n"`
	Text string `json:"text"`
}

func newDrilled(who string, n, size int) drilled {
	return drilled{who, n, strings.Repeat(`{"`+who+strconv.Itoa(n)+"\n", size/8)}
}

// whole reports whether a record is as it was written.
func whole(r *Record, size int) bool {
	n, ok := r.Number("n")
	return ok && r.Text("text") == newDrilled(r.Agent, int(n), size).Text && r.Lines == 1
}

const (
	killedSize = 600_000 // bytes of a record: many pages, so that a kill cuts it
	drillMost  = 3 << 20 // bytes of a file that is gone on with: it is read after each kill
)

// TestDrillWriter is the process that is killed: it says which records are written, and writes for ever.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillPlace)
	if dir == "" {
		t.Skip("a part of TestAppendDrill")
	}
	from, err := strconv.Atoi(os.Getenv(drillFrom))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(drilltest.Ready)
	for n := from; ; n++ {
		if err := Append(t.Context(), dir, drillFile, newDrilled("w", n, killedSize)); err != nil {
			fmt.Println(err)
			t.FailNow()
		}
		fmt.Println(n)
	}
}

// A writer may be killed at any point: what it said to have written is there whole, once, in order, and of what it had
// not there is one torn record at most.
func TestAppendDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(drillFile))
	said, next, bad, torn, wrote := 0, 1, 0, 0, 0 // said is what must be there, next what was not there yet
	first := 1
	for round := range *drillRounds {
		if fi, err := os.Stat(path); err == nil && fi.Size() > drillMost {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			first, bad = next, 0
		}
		said = killWriter(t, dir, next, round%4, time.Duration(rnd.Int64N(int64(20*time.Millisecond))))
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && said < next {
			continue // killed before the first one
		}
		at := first
		stats, err := Scan(t.Context(), dir, path, Options{}, func(r *Record) bool {
			if n, _ := r.Number("n"); int(n) != at || !whole(r, killedSize) {
				t.Fatalf("round %d: %.100s where %d should be", round, r.Raw, at)
			}
			at++
			return true
		})
		if err != nil || at <= said || stats.Bad > bad+1 {
			t.Fatalf("round %d: %d of %d are there, %+v, %v", round, at-1, said, stats, err)
		}
		if stats.Bad > bad {
			torn++
		}
		wrote += at - next
		next, bad = at, stats.Bad
	}
	if err := Append(t.Context(), dir, path, newDrilled("w", next, killedSize)); err != nil {
		t.Error(err)
	}
	all, stats := records(t, dir, path)
	if len(all) == 0 || !whole(all[len(all)-1], killedSize) || stats.Bad != bad || wrote == 0 {
		t.Errorf("%d records, %+v, %d written", len(all), stats, wrote)
	}
	t.Logf("%d records written, %d kills cut one off", wrote, torn)
}

// killWriter runs a writer until it has said so many numbers, and then a while, and is the last number that it said. The
// count is for machines on which a writer does not come to write in that while.
func killWriter(t *testing.T, dir string, from, numbers int, after time.Duration) (said int) {
	t.Helper()
	w := drilltest.Start(t, "TestDrillWriter", drillPlace+"="+dir, drillFrom+"="+strconv.Itoa(from))
	said = from - 1
	hear := func() {
		n, err := strconv.Atoi(w.Lines.Text())
		if err != nil || n != said+1 {
			t.Errorf("the writer says %q", w.Lines.Text())
		}
		said = n
	}
	for range numbers {
		if w.Lines.Scan() {
			hear()
		}
	}
	time.Sleep(after)
	if err := w.Process.Kill(); err != nil {
		t.Errorf("the writer ended: %v", err)
	}
	for w.Lines.Scan() {
		hear()
	}
	_ = w.Wait() // it was killed
	return said
}

const (
	togetherRounds = 20 // records of each who appends
	togetherSize   = 30_000
)

// appendAll appends the records of one of several.
func appendAll(ctx context.Context, dir, who string) error {
	for n := range togetherRounds {
		err := ledger.ErrBusy
		for tries := 0; errors.Is(err, ledger.ErrBusy) && tries < 20; tries++ { // the others hold the lock
			err = Append(ctx, dir, drillFile, newDrilled(who, n, togetherSize))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestTogetherWriter is a process of TestAppendTogether.
func TestTogetherWriter(t *testing.T) {
	dir, who := os.Getenv(drillPlace), os.Getenv(drillWho)
	if who == "" {
		t.Skip("a part of TestAppendTogether")
	}
	if err := appendAll(t.Context(), dir, who); err != nil {
		t.Fatal(err)
	}
}

// Processes and goroutines append side by side: each record is there once, and whole.
func TestAppendTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	writers := map[string]int{}
	for _, who := range []string{"p", "q"} {
		writers[who] = 0
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTogetherWriter$")
			cmd.Env = append(os.Environ(), drillPlace+"="+dir, drillWho+"="+who)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	for _, who := range []string{"a", "b", "c"} {
		writers[who] = 0
		all.Go(func() {
			if err := appendAll(t.Context(), dir, who); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found, stats := records(t, dir, drillFile)
	for _, r := range found {
		if n, _ := r.Number("n"); int(n) != writers[r.Agent] || !whole(r, togetherSize) {
			t.Errorf("%.100s where %d of it should be", r.Raw, writers[r.Agent])
		}
		writers[r.Agent]++
	}
	for who, n := range writers {
		if n != togetherRounds {
			t.Errorf("%d records of %s", n, who)
		}
	}
	if stats.Bad != 0 || len(writers) != 5 {
		t.Errorf("%+v of %v", stats, writers)
	}
}
