//go:build unix

package journal

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

// drillRounds is the number of kills. Use -args -drill=1000 for a full drill.
var drillRounds = flag.Int("drill", drilltest.Rounds(25), "how often each drill kills a writer") //nolint:gochecknoglobals // a flag

const drillDir = "CONTINUO_TEST_JOURNAL" // journal of a process that is killed

// TestDrillWriter runs in the killed process. It writes entries.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillDir)
	if dir == "" {
		t.Skip("a part of the drill")
	}
	s := Open(dir)
	fmt.Println(drilltest.Ready)
	for i := 0; ; i++ {
		e, err := s.Begin(t.Context(), Entry{
			At: time.Now(), Kind: []Kind{Discard, "later-one", EmptyTrash}[i%3], What: "begun", Where: []string{"/tea"}, Ops: []change.Op{{Verb: change.Replace, Dir: "/a", Name: "b", Before: make([]byte, 20_000)}},
		})
		if err == nil {
			e.Done, e.What = true, "done"
			err = s.Finish(t.Context(), e)
		}
		if err != nil {
			fmt.Println(err)
			t.FailNow()
		}
	}
}

// TestDrill: writers are killed at random times. Each entry is as Begin or Finish wrote it.
func TestDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	s := newStore(t)
	temps, open, had := 0, 0, 0
	for round := range *drillRounds {
		w := drilltest.Start(t, "TestDrillWriter", drillDir+"="+s.dir)
		w.Kill(t, time.Duration(rnd.Int64N(int64(30*time.Millisecond))))
		for _, e := range list(t, s) {
			if e.Done != (e.What == "done") || len(e.Ops) != 1 || len(e.Ops[0].Before) != 20_000 {
				t.Errorf("round %d: %+v", round, e)
			}
			if !e.Done {
				open++
			}
		}
		names, err := os.ReadDir(s.dir)
		for _, name := range names {
			if disk.IsTemp(name.Name()) {
				temps++
				if err := os.Remove(s.at(name.Name())); err != nil {
					t.Error(err)
				}
			}
		}
		// A writer may be killed before it deletes old entries, or leave a temporary file.
		if err != nil && !os.IsNotExist(err) || len(names) > max(had, Most)+2 {
			t.Errorf("%d names after %d, %v", len(names), had, err)
		}
		had = len(names)
	}
	begin(t, s, Entry{At: time.Now(), Kind: Undo})
	if have := list(t, s); len(have) > Most {
		t.Errorf("%d entries", len(have))
	}
	t.Logf("%d temporary files were left, %d entries not finished", temps, open)
}
