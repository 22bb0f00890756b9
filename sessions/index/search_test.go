package index

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/query"
)

// TestAdmitted: each key press searches. admit is slow, so only files with matches need it.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	for i := range 40 {
		word := "common"
		if i%10 == 0 {
			word = "rare"
		}
		tr.write(fmt.Sprintf("f%02d", i), true, "a "+word+" word", "another "+word+" word")
	}
	x := Open("")
	if err := x.Update(t.Context(), tr.files()); err != nil {
		t.Fatal(err)
	}
	for text, files := range map[string]int64{"rare": 4, "common": 36, "absent": 0} {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		var asked, found atomic.Int64
		err = x.Search(t.Context(), q, func(*File) bool { asked.Add(1); return true }, func(*Message) bool { found.Add(1); return true })
		if err != nil || found.Load() != 2*files || asked.Load() < files || asked.Load() > workers*files {
			t.Errorf("%s: %d messages, asked for %d files, want %d: %v", text, found.Load(), asked.Load(), files, err)
		}
	}
}
