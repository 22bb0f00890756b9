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

// drillRounds is how often a writer is killed. Set -args -drill=1000 for more.
var drillRounds = flag.Int("drill", 25, "how often the drill kills a writer") //nolint:gochecknoglobals // a flag

// Environment variables for the processes that a test starts.
const (
	drillPlace = "CONTINUO_TEST_TRAJECTORY_DRILL" // directory for a writer that is killed
	drillFrom  = "CONTINUO_TEST_TRAJECTORY_FROM"  // first number to write
	drillWho   = "CONTINUO_TEST_TRAJECTORY_WHO"   // agent name for a writer that isn't killed
)

const drillFile = "a/b/drill-2026-02-06.jsonl"

// drilled is a record so long that a kill can cut it off.
type drilled struct {
	Who  string `json:"agent"`
	N    int    `json:"n"`
	Text string `json:"text"`
}

func newDrilled(who string, n, size int) drilled {
	return drilled{who, n, strings.Repeat(`{"`+who+strconv.Itoa(n)+"\n", size/8)}
}

func whole(r *Record, size int) bool {
	n, ok := r.Number("n")
	return ok && r.Text("text") == newDrilled(r.Agent, int(n), size).Text && r.Lines == 1
}

const (
	killedSize = 600_000 // size of a record in bytes
	drillMost  = 3 << 20 // size in bytes after which the test starts a new file
)

// TestDrillWriter is the process that is killed. It writes records and prints their numbers.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillPlace)
	if dir == "" {
		t.Skip("runs only as a process of TestAppendDrill")
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

// TestAppendDrill: each printed record must be in the file once. Each kill may leave one torn record.
func TestAppendDrill(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(drillFile))
	written, next, bad, torn, wrote := 0, 1, 0, 0, 0 // written: last printed record; next: next expected record
	first := 1
	for round := range *drillRounds {
		if fi, err := os.Stat(path); err == nil && fi.Size() > drillMost {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			first, bad = next, 0
		}
		written = killWriter(t, dir, next, round%4, time.Duration(rnd.Int64N(int64(20*time.Millisecond))))
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && written < next {
			continue // killed before the first record
		}
		at := first
		stats, err := Scan(t.Context(), dir, path, Options{}, func(r *Record) bool {
			if n, _ := r.Number("n"); int(n) != at || !whole(r, killedSize) {
				t.Fatalf("round %d: %.100s in place of record %d", round, r.Raw, at)
			}
			at++
			return true
		})
		if err != nil || at <= written || stats.Bad > bad+1 {
			t.Fatalf("round %d: %d of %d records found, %+v, %v", round, at-1, written, stats, err)
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
	t.Logf("%d records written, %d kills cut off a record", wrote, torn)
}

// killWriter kills a writer at a random time after it has printed some numbers. It returns the last printed number.
func killWriter(t *testing.T, dir string, from, numbers int, after time.Duration) (written int) {
	t.Helper()
	w := drilltest.Start(t, "TestDrillWriter", drillPlace+"="+dir, drillFrom+"="+strconv.Itoa(from))
	written = from - 1
	hear := func() {
		n, err := strconv.Atoi(w.Lines.Text())
		if err != nil || n != written+1 {
			t.Errorf("the writer printed %q", w.Lines.Text())
		}
		written = n
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
	return written
}

const (
	togetherRounds = 20 // records per writer
	togetherSize   = 30_000
)

func appendAll(ctx context.Context, dir, who string) error {
	for n := range togetherRounds {
		err := ledger.ErrBusy
		for tries := 0; errors.Is(err, ledger.ErrBusy) && tries < 20; tries++ { // another writer has the lock
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
		t.Skip("runs only as a process of TestAppendTogether")
	}
	if err := appendAll(t.Context(), dir, who); err != nil {
		t.Fatal(err)
	}
}

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
			t.Errorf("%.100s in place of its record %d", r.Raw, writers[r.Agent])
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
