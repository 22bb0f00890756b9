//go:build unix

package index

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// drillKills is the number of kills. Use -args -drill=200 for a full drill.
var drillKills = flag.Int("drill", 15, "how often the drill kills a writer") //nolint:gochecknoglobals // a flag

const (
	drillTree  = "CONTINUO_TEST_INDEX_TREE"  // transcripts
	drillCache = "CONTINUO_TEST_INDEX_CACHE" // cache directory
)

// TestWriter runs in the killed process. It builds and updates the cache in a loop.
func TestWriter(t *testing.T) {
	dir, cache := os.Getenv(drillTree), os.Getenv(drillCache)
	if dir == "" {
		t.Skip("runs only as a process of the drill")
	}
	fmt.Println(drilltest.Ready)
	for n := 0; ; n++ {
		x := Open(cache)
		if n%3 == 0 {
			x.Rebuild()
		}
		if err := x.Update(t.Context(), filesIn(t, dir)); err != nil {
			t.Fatal(err)
		}
		x.Close()
	}
}

func filesIn(t *testing.T, dir string) []File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var list []File
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			list = append(list, File{Path: name, Info: info})
		}
	}
	return list
}

// TestKilled: the writer is killed at random times while transcripts change. Searches still find everything.
func TestKilled(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any number
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // not for secrets
	for i := range 12 {
		tr.write(string(rune('a'+i)), true, slices.Repeat([]string{sentence(r), sentence(r), sentence(r)}, 300)...)
	}
	unfinished := 0
	for range *drillKills {
		p := drilltest.Start(t, "TestWriter", drillTree+"="+tr.dir, drillCache+"="+cache)
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		tr.write(string(rune('a'+r.IntN(12))), r.IntN(4) == 0, sentence(r), sentence(r))
		p.Kill(t, time.Duration(r.IntN(15))*time.Millisecond)
		x := Open(cache)
		if n, _ := x.Indexed(tr.files()); n < len(tr.files()) {
			unfinished++
		}
		tr.check(x, searches()[:6])
		x.Close()
	}
	t.Logf("%d kills, %d of them before the cache was complete", *drillKills, unfinished)
	if unfinished == 0 {
		t.Error("no kill landed while the cache was written")
	}
}
