package tui

import (
	"fmt"
	"strings"
	"testing"
)

// TestFacts checks that i shows the figures of the selected session that no row and no preview has, and closes them.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 10}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, _ := menuModel(t, nil, size[0], size[1])
				press(t, m, "i")
				got := plain(t, m)
				for _, want := range []string{"Facts", "Messages", "142", "Tokens"} {
					if !strings.Contains(got, want) {
						t.Errorf("%v: no %q:\n%s", size, want, got)
					}
				}
				press(t, m, "pgdown")
				if got := plain(t, m); !strings.Contains(got, "3f9ac1e0-71c4-4e0d") {
					t.Errorf("%v: no ID:\n%s", size, got)
				}
				press(t, m, "i")
				if got := plain(t, m); strings.Contains(got, "Facts") {
					t.Errorf("%v: still open:\n%s", size, got)
				}
			})
		})
	}
}
