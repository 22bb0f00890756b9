package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// TestReadFrameAllocates: every start reads all rows, so their strings need no allocation.
func TestReadFrameAllocates(t *testing.T) { //nolint:paralleltest // this test counts allocations
	const n = 100
	var rows []*row
	for i := range n {
		rows = append(rows, &row{path: fmt.Sprint("/p/", i), exact: true, figures: sessions.Session{
			Workdir: "/code/teahouse", Name: fmt.Sprint("Name ", i), Prompt: strings.Repeat("prompt ", i), Branch: "main",
			Version: "2.1.330", State: "ok", Reason: "reason", Picker: "picker", Continued: "other",
		}})
	}
	frame := frameOf(0, n, rows)[frameHead:]
	var s store
	got := map[string]*row{}
	allocs := testing.AllocsPerRun(20, func() {
		if err := s.readFrame(frame, got); err != nil {
			t.Fatal(err)
		}
	})
	const perRow = 3 // allocations: the row, and two empty lists
	if most := float64(perRow*n + n/4); allocs > most {
		t.Errorf("reading %d rows allocates %g times, want at most %g", n, allocs, most)
	}
	if w := rows[n-1].figures; got["/p/99"].figures.Prompt != w.Prompt || got["/p/99"].figures.Continued != w.Continued {
		t.Errorf("the last row is %+v, want %+v", got["/p/99"].figures, w)
	}
}
