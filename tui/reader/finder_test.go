package reader

import (
	"slices"
	"testing"
)

// TestStretch: the parts of a stretch cover each message once, in the search direction.
func TestStretch(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		var got []stretch
		for rest := (stretch{from: 10, to: 300, back: back}); rest.from < rest.to; {
			var now stretch
			now, rest = rest.next()
			got = append(got, now)
		}
		want := []stretch{{10, 138, false}, {138, 266, false}, {266, 300, false}}
		if back {
			want = []stretch{{172, 300, true}, {44, 172, true}, {10, 44, true}}
		}
		if !slices.Equal(got, want) {
			t.Errorf("back %v: %v, want %v", back, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	f := finder{matches: []found{{2, 0}, {5, 1}, {5, 3}, {9, 0}}}
	for _, test := range []struct {
		message, block int
		behindToo      bool
		want           int
	}{{0, 0, false, 0}, {5, 2, false, 2}, {5, 3, false, 2}, {6, 0, true, 3}, {10, 0, false, -1}, {10, 0, true, 3}} {
		f.from = bar{message: test.message}
		if got := f.nearest(test.block, test.behindToo); got != test.want {
			t.Errorf("from %d, %d: match %d, want %d", test.message, test.block, got, test.want)
		}
	}
}
