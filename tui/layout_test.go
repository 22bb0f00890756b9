package tui

import "testing"

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		w, h int
		s    shape
		want layout
	}{
		{"one cell", 1, 1, shape{list: true}, layout{body: rect{0, 0, 1, 1}}},
		{"one row while typing", 9, 1, shape{list: true, typing: true}, layout{body: rect{0, 0, 9, 1}}},
		{"two rows while typing", 9, 2, shape{list: true, typing: true}, layout{context: rect{0, 0, 9, 1}, body: rect{0, 1, 9, 1}}},
		{"four rows", 20, 4, shape{list: true}, layout{
			context: rect{0, 0, 20, 1}, body: rect{0, 1, 20, 2}, status: rect{0, 3, 20, 1}, keys: rect{0, 3, 20, 1},
		}},
		{"seven rows", 20, 7, shape{list: true}, layout{
			title: rect{0, 0, 20, 1}, context: rect{0, 1, 20, 1}, body: rect{0, 2, 20, 4}, status: rect{0, 6, 20, 1}, keys: rect{0, 6, 20, 1},
		}},
		{"small", 60, 18, shape{list: true, preview: true}, layout{
			title: rect{0, 0, 60, 1}, rule: rect{0, 1, 60, 1}, context: rect{0, 2, 60, 1}, body: rect{0, 3, 60, 14},
			status: rect{0, 17, 60, 1}, keys: rect{0, 17, 60, 1},
		}},
		{"usual", 80, 24, shape{list: true, preview: true}, layout{
			title: rect{0, 0, 80, 1}, rule: rect{0, 1, 80, 1}, context: rect{0, 2, 80, 1}, body: rect{0, 3, 80, 19},
			status: rect{0, 22, 80, 1}, keys: rect{0, 23, 80, 1},
		}},
		{"list and preview", 120, 36, shape{list: true, preview: true}, layout{
			title: rect{0, 0, 120, 1}, rule: rect{0, 1, 120, 1}, context: rect{0, 2, 64, 1}, body: rect{0, 4, 64, 30},
			status: rect{0, 34, 120, 1}, keys: rect{0, 35, 120, 1}, preview: rect{65, 2, 55, 32}, divider: 64,
		}},
		{"reader", 120, 36, shape{}, layout{
			title: rect{0, 0, 120, 1}, rule: rect{0, 1, 120, 1}, context: rect{0, 2, 120, 1}, body: rect{0, 3, 120, 31},
			status: rect{0, 34, 120, 1}, keys: rect{0, 35, 120, 1},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := arrange(test.w, test.h, test.s); got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// TestArrangeFits: at no size does a part leave the screen or overlap the body.
func TestArrangeFits(t *testing.T) {
	t.Parallel()
	for w := range 140 {
		for h := range 45 {
			for i := range 8 {
				s := shape{list: i&1 > 0, preview: i&2 > 0, typing: i&4 > 0}
				l := arrange(w, h, s)
				for _, r := range []rect{l.title, l.rule, l.context, l.body, l.status, l.keys, l.preview} {
					if r.x < 0 || r.y < 0 || r.h < 0 || r.x+r.w > w || r.y+r.h > h {
						t.Fatalf("%dx%d %+v: %+v leaves the screen", w, h, s, r)
					}
					if r != l.body && r != l.preview && r.h > 0 && r.y >= l.body.y && r.y < l.body.y+l.body.h {
						t.Fatalf("%dx%d %+v: %+v is in the body %+v", w, h, s, r, l.body)
					}
				}
				if h > 0 && l.body.h < 1 {
					t.Fatalf("%dx%d %+v: no room for a row", w, h, s)
				}
			}
		}
	}
}
