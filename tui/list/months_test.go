package list

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

func TestMonths(t *testing.T) {
	t.Parallel()

	for _, test := range []struct {
		months []int // sessions per month: October, September, and so on
		want   []string
	}{
		{[]int{3, 3}, []string{"October 2026", "3", "September 2026", "3"}},
		{[]int{3, 2, 3, 2}, []string{"October and September 2026", "5", "August and July 2026", "5"}},
		{[]int{1, 1, 1, 7}, []string{"October to August 2026", "3", "July 2026", "7"}},
		{[]int{1, 4, 3}, []string{"October and September 2026", "5", "August 2026", "3"}},
		{[]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, []string{"January 2026 to December 2025", "2"}},
	} {
		var rows []*sessions.Row
		for i, n := range test.months {
			for range n {
				row := rowtest.Row(strconv.Itoa(len(rows)), "Title", rowtest.Now().Sub(time.Date(2026, time.Month(10-i), 5, 9, 0, 0, 0, time.UTC)), nil)
				rows = append(rows, &row)
			}
		}
		l := builder{store: &store{kind: sessions.KindSession}, scope: &scope{}, now: rowtest.Now(), blanks: true}
		l.addGroups(rows)
		var got []string
		n := 0
		for i := range l.items {
			switch it := &l.items[i]; {
			case it.heading != "" && n > 0:
				got = append(got, strconv.Itoa(n), it.heading)
				n = 0
			case it.heading != "":
				got = append(got, it.heading)
			case it.row != nil:
				n++
			}
		}
		if got = append(got, strconv.Itoa(n)); !slices.Equal(got, test.want) {
			t.Errorf("%v: %q, want %q", test.months, got, test.want)
		}
	}
}
