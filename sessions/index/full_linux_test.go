package index

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestFull: the disk has little space. Texts that don't fit stay in memory.
func TestFull(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, full)
}

func full(t *testing.T) {
	tr := newTree(t)
	for i := range 40 {
		tr.write(string(rune('a'+i%20)), false, fmt.Sprintf("leeway %d of the bucket", i), "数据库 error")
	}
	fits, all := 0, 0
	for size := 8; size <= 64; size += 4 {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			cache := t.TempDir()
			drilltest.Mount(t, cache, fmt.Sprintf("size=%dk", size))
			for range 2 { // the second index begins with the files of the first one
				x := Open(filepath.Join(cache, "index"))
				tr.check(x, searches())
				tr.write("a", false, "leeway again")
				tr.check(x, searches())
				if all++; !x.keepsMemory() {
					fits++
				}
				x.Close()
			}
		})
	}
	if fits == 0 || fits == all {
		t.Errorf("the cache fits %d times of %d, want some", fits, all)
	}
}
