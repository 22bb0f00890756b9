//go:build unix

package cli

import (
	"fmt"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStorySearch finds a session by a phrase, reads the match, and returns to the same results.
func TestStorySearch(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 18}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			if size[0] != 120 {
				drilltest.SkipUnderRace(t)
			}
			w := newWorld(t, size[0], size[1], writeDemo)
			w.start("continuo")
			w.wait(`(?s)Sessions.*teahouse`)
			w.keys("s")
			w.wait(`Recent sessions`)
			w.text(`"a skewed host is fine"`)
			w.wait(`1 match in 1 session`)
			w.wait(`▌ +Claude`)
			w.keys("Enter")
			w.wait(`(?s)skewed host is.*match 1 of 1.*message \d+ of \d+`)
			w.keys("Escape")
			w.wait(`(?s)a skewed host is fine".*▌ +Claude`)
			w.keys("C-u")
			w.wait(`Recent sessions`)
			w.text("leeway project:tea after:20h role:claude")
			w.wait(`3 matches in 1 session`)
			w.keys("C-u")
			w.text("leeway is:dead")
			w.wait(`is:dead isn't known`)
			w.keys("Escape")
			w.wait(`(?s)Sessions.*teahouse.*q quit|\? help`)
			w.keys("q")
			w.ended(0)
		})
	}
}
