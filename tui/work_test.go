package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestManyRows: a key press costs the same in 10,000 rows as in 100.
func TestManyRows(t *testing.T) { //nolint:paralleltest // it counts allocations
	perKey := func(n int) float64 {
		rows := make([]sessions.Row, n)
		for i := range rows {
			rows[i] = testRow(fmt.Sprintf("%08d", i), fmt.Sprintf("Session %d about something", i), time.Duration(i)*time.Minute, nil)
		}
		s := &fakeSource{batches: []sessions.Batch{{Rows: rows, Done: true}}, doc: testDoc()}
		o := testOptions()
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s}, o)
		m.resize(90, 40)
		m.rowsArrived(rowsMsg{gen: m.feed.gen, batch: s.batches[0]})
		for range 60 { // the view scrolls from here on
			m.Update(keyPress("j"))
		}
		return testing.AllocsPerRun(30, func() {
			m.Update(keyPress("j"))
			m.View()
		})
	}
	few, many := perKey(100), perKey(10_000)
	if many > 1.2*few+10 {
		t.Errorf("%.0f allocations a key with 10,000 rows, %.0f with 100", many, few)
	}
}
