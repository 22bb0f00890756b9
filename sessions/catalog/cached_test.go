package catalog_test

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/index"
)

// TestCachedRows: rows with cached figures are sent once, because sorting and drawing are slow.
func TestCachedRows(t *testing.T) {
	t.Parallel()
	opts, _, _ := world(t)
	x := index.Open("")
	opts.Cache = x
	count := func() map[string]int {
		n := map[string]int{}
		for b := range catalog.New(opts).Rows(t.Context()) {
			for i := range b.Rows {
				if r := &b.Rows[i]; r.Kind == sessions.KindSession && r.State == sessions.StateOK {
					n[r.Path]++
				}
			}
		}
		x.Flush()
		return n
	}
	first, then := count(), count()
	if len(first) < 10 || len(then) != len(first) {
		t.Fatalf("%d sessions, then %d", len(first), len(then))
	}
	twice := 0
	for path, n := range then {
		if n != 1 {
			t.Errorf("%s was sent %d times", path, n)
		}
		twice += first[path] - 1
	}
	if twice == 0 {
		t.Error("no session was sent again after a scan, so the test says nothing")
	}
}
