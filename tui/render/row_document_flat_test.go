package render

import (
	"testing"
	"time"
)

// TestFlatChainEnds: a flat chain ends in ◇ for a fork, blank for a gap, ✗ for a broken link.
func TestFlatChainEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	var dates []time.Time
	for i := range 20 {
		dates = append(dates, now.AddDate(0, 0, -i))
	}
	for _, test := range []struct {
		n, at, width int
		end          Rail
		want         string
	}{
		{3, 1, 60, NoRail, "§───§━━━§  Nov 21, 20, 19"},
		{3, 1, 60, RailBroken, "§───§━━━§   ✗  Nov 21, 20, 19"},
		{3, 1, 60, RailFork, "§───§━━━§━━━◇  Nov 21, 20, 19"},
		{1, 0, 60, RailFork, "§━━━◇  Nov 21"},
		{3, 1, 14, RailBroken, "§───§ …"},
		{2, 1, 14, RailBroken, "§───§   ✗"},
		{20, 0, 80, RailBroken, "§━━━§━━━§━━━§━━━§━━━§━━━§━━━§ …  Nov 21, 20, 19, 18, 17, 16, 15, 14"},
		{20, 19, 80, RailBroken, "… §───§───§───§───§───§───§───§   ✗  Nov 9, 8, 7, 6, 5, 4, 3, 2"},
	} {
		spans := FlatChain(dates[:test.n], test.at, test.end, now, test.width)
		got := ""
		for _, s := range spans {
			got += s.Text
		}
		if got != test.want {
			t.Errorf("%+v:\ngot  %q", test, got)
		}
		if test.end == RailBroken && test.n > 3 && test.at > 3 && spans[len(spans)-2] != (Span{Bad, "✗"}) {
			t.Errorf("%+v: drawn as %+v", test, spans)
		}
		for width := 12; width < 100; width++ {
			for at := range test.n {
				if w := SpansWidth(FlatChain(dates[:test.n], at, test.end, now, width)); w > width {
					t.Fatalf("%+v: %d cells wide in %d at %d", test, w, width, at)
				}
			}
		}
	}
}
