package tui

import (
	"testing"

	"github.com/continuo-tui/continuo/tui/screen"
)

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		w, h int
		s    screen.Shape
		want screen.Layout
	}{
		{"one cell", 1, 1, screen.Shape{List: true}, screen.Layout{Body: box(0, 0, 1, 1)}},
		{"one row while typing", 9, 1, screen.Shape{List: true, Typing: true}, screen.Layout{Body: box(0, 0, 9, 1)}},
		{"two rows while typing", 9, 2, screen.Shape{List: true, Typing: true}, screen.Layout{Context: box(0, 0, 9, 1), Body: box(0, 1, 9, 1)}},
		{"four rows", 20, 4, screen.Shape{List: true}, screen.Layout{
			Context: box(0, 0, 20, 1), Body: box(0, 1, 20, 2), Status: box(0, 3, 20, 1), Keys: box(0, 3, 20, 1),
		}},
		{"seven rows", 20, 7, screen.Shape{List: true}, screen.Layout{
			Title: box(0, 0, 20, 1), Context: box(0, 1, 20, 1), Body: box(0, 2, 20, 4), Status: box(0, 6, 20, 1), Keys: box(0, 6, 20, 1),
		}},
		{"small", 60, 18, screen.Shape{List: true, Preview: true}, screen.Layout{
			Title: box(0, 0, 60, 1), Rule: box(0, 1, 60, 1), Context: box(0, 2, 60, 1), Body: box(0, 3, 60, 14),
			Status: box(0, 17, 60, 1), Keys: box(0, 17, 60, 1),
		}},
		{"usual", 80, 24, screen.Shape{List: true, Preview: true}, screen.Layout{
			Title: box(0, 0, 80, 1), Rule: box(0, 1, 80, 1), Context: box(0, 2, 80, 1), Body: box(0, 3, 80, 20),
			Status: box(0, 22, 80, 1), Keys: box(0, 23, 80, 1),
		}},
		{"wide", 200, 50, screen.Shape{List: true, Preview: true}, screen.Layout{
			Title: box(0, 0, 200, 1), Rule: box(0, 1, 200, 1), Context: box(0, 2, 100, 1), Body: box(0, 4, 100, 43),
			Status: box(0, 48, 200, 1), Keys: box(0, 49, 200, 1), Preview: box(101, 2, 99, 45), Divider: 100,
		}},
		{"list and preview", 120, 36, screen.Shape{List: true, Preview: true}, screen.Layout{
			Title: box(0, 0, 120, 1), Rule: box(0, 1, 120, 1), Context: box(0, 2, 64, 1), Body: box(0, 4, 64, 29),
			Status: box(0, 34, 120, 1), Keys: box(0, 35, 120, 1), Preview: box(65, 2, 55, 31), Divider: 64,
		}},
		{"reader", 120, 36, screen.Shape{}, screen.Layout{
			Title: box(0, 0, 120, 1), Rule: box(0, 1, 120, 1), Context: box(0, 2, 120, 1), Body: box(0, 3, 120, 30),
			Status: box(0, 34, 120, 1), Keys: box(0, 35, 120, 1),
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

// TestArrangeFits: no rectangle overlaps the body, except that a message may cover its last row.
func TestArrangeFits(t *testing.T) {
	t.Parallel()
	for w := range 140 {
		for h := range 45 {
			for i := range 8 {
				s := screen.Shape{List: i&1 > 0, Preview: i&2 > 0, Typing: i&4 > 0}
				l := arrange(w, h, s)
				for _, r := range []screen.Rect{l.Title, l.Rule, l.Context, l.Body, l.Status, l.Keys, l.Preview} {
					if r.X < 0 || r.Y < 0 || r.H < 0 || r.X+r.W > w || r.Y+r.H > h {
						t.Fatalf("%dx%d %+v: %+v leaves the screen", w, h, s, r)
					}
					if r == l.Status && s.List && h >= 20 && h < 30 && r.Y == l.Body.Y+l.Body.H-1 {
						continue
					}
					if r != l.Body && r != l.Preview && r.H > 0 && r.Y >= l.Body.Y && r.Y < l.Body.Y+l.Body.H {
						t.Fatalf("%dx%d %+v: %+v overlaps the body %+v", w, h, s, r, l.Body)
					}
				}
				if h > 0 && l.Body.H < 1 {
					t.Fatalf("%dx%d %+v: no room for a row", w, h, s)
				}
			}
		}
	}
}
