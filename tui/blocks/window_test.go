package blocks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func of(hs ...int) Heights { return func(i int) int { return hs[i] } }

func TestWindow(t *testing.T) {
	t.Parallel()
	hs := []int{3, 1, 5, 2} // 11 rows
	tests := []struct {
		name string
		do   func(*Window)
		rows int
		want []Span
	}{
		{"start", func(*Window) {}, 4, []Span{{0, 0, 3}, {1, 0, 1}}},
		{"down one", func(w *Window) { w.Scroll(1, 4, 4, of(hs...)) }, 4, []Span{{0, 1, 3}, {1, 0, 1}, {2, 0, 1}}},
		{"down into the third", func(w *Window) { w.Scroll(5, 4, 4, of(hs...)) }, 4, []Span{{2, 1, 5}}},
		{"beyond the end", func(w *Window) { w.Scroll(99, 4, 4, of(hs...)) }, 4, []Span{{2, 3, 5}, {3, 0, 2}}},
		{"and up", func(w *Window) { w.Scroll(99, 4, 4, of(hs...)); w.Scroll(-4, 4, 4, of(hs...)) }, 4, []Span{{1, 0, 1}, {2, 0, 3}}},
		{"beyond the start", func(w *Window) { w.Scroll(-9, 4, 4, of(hs...)) }, 2, []Span{{0, 0, 2}}},
		{"the end of one", func(w *Window) { w.EndAt(1, 4, 3, of(hs...)) }, 3, []Span{{0, 1, 3}, {1, 0, 1}}},
		{"the end of one that is too short", func(w *Window) { w.EndAt(1, 4, 6, of(hs...)) }, 6, []Span{{0, 0, 3}, {1, 0, 1}, {2, 0, 2}}},
		{"more room than rows", func(w *Window) { w.Scroll(3, 4, 20, of(hs...)) }, 20, []Span{{0, 0, 3}, {1, 0, 1}, {2, 0, 5}, {3, 0, 2}}},
		{"one in the middle", func(w *Window) { w.Show(2, 0, 4, 3, of(hs...)) }, 3, []Span{{2, 0, 3}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var w Window
			test.do(&w)
			if got := w.Visible(4, test.rows, of(hs...)); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestWindowPinned: real heights replace estimates, and a view at the end stays at the end.
func TestWindowPinned(t *testing.T) {
	t.Parallel()
	hs := []int{6, 6, 6}
	var w Window
	w.EndAt(2, 3, 8, of(hs...))
	hs[2] = 2
	w.Resized(2, 6, 2)
	w.Fit(3, 8, of(hs...))
	if got, want := w.Visible(3, 8, of(hs...)), []Span{{1, 0, 6}, {2, 0, 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWindowResized: the first item is cut at the top. When its height changes, the visible rows don't move.
func TestWindowResized(t *testing.T) {
	t.Parallel()
	hs := []int{6, 6, 6}
	w := Window{Top: 1, Off: 4} // the last two rows of item 1 are visible
	hs[1] = 9
	w.Resized(1, 6, 9)
	w.Fit(3, 4, of(hs...))
	if got, want := w.Visible(3, 4, of(hs...)), []Span{{1, 7, 9}, {2, 0, 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzWindow checks that the window shows consecutive rows. It shows no empty row if there are enough items.
func FuzzWindow(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(4))
	f.Add(uint64(2), uint8(0), uint8(0))
	f.Add(uint64(3), uint8(200), uint8(30))
	f.Fuzz(func(t *testing.T, seed uint64, items, rows uint8) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a fixed seed makes the test repeatable
		n, height := int(items), make([]int, items)
		total := 0
		for i := range height {
			height[i] = r.IntN(7) // 0 is possible
			total += height[i]
		}
		var w Window
		for range 40 {
			room := int(rows)
			switch r.IntN(5) {
			case 0, 1:
				w.Scroll(r.IntN(21)-10, n, room, of(height...))
			case 2:
				w.EndAt(r.IntN(n+2)-1, n, room, of(height...))
			case 3:
				w.Show(r.IntN(n+2)-1, r.IntN(9)-4, n, room, of(height...))
			case 4:
				if n > 0 {
					i := r.IntN(n)
					old := height[i]
					height[i] = r.IntN(9)
					total += height[i] - old
					w.Resized(i, old, height[i])
					w.Fit(n, room, of(height...))
				}
			}
			check(t, &w, height, room, total)
		}
	})
}

func check(t *testing.T, w *Window, height []int, rows, total int) {
	t.Helper()
	spans := w.Visible(len(height), rows, of(height...))
	seen := 0
	for i, s := range spans {
		if s.From < 0 || s.To > height[s.Item] || s.From >= s.To {
			t.Fatalf("%v is outside an item of %d rows", s, height[s.Item])
		}
		seen += s.To - s.From
		if i == 0 {
			continue
		}
		before := spans[i-1]
		if before.To != height[before.Item] || s.From != 0 {
			t.Fatalf("a gap between %v and %v", before, s)
		}
		for j := before.Item + 1; j < s.Item; j++ {
			if height[j] > 0 {
				t.Fatalf("item %d is skipped", j)
			}
		}
	}
	if want := min(rows, total); seen != want {
		t.Fatalf("%d rows are shown, want %d (window %+v, heights %v)", seen, want, *w, height)
	}
}
