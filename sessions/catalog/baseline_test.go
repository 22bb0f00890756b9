package catalog

import (
	"fmt"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// TestEachAllocates: the search runs every few seconds, so it allocates nothing per row.
func TestEachAllocates(t *testing.T) {
	rows := make([]sessions.Row, 1000)
	for i := range rows {
		rows[i] = sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Path: fmt.Sprint(i)}}
	}
	var b baseline
	b.sessions(rows, nil, nil)
	if n := testing.AllocsPerRun(10, func() {
		b.noted(nil)
		b.renoted(nil)
	}); n > 10 {
		t.Errorf("%v allocations", n)
	}
}
