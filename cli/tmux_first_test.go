//go:build unix

package cli

import (
	"fmt"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryFirst uses the browser for the first time, at four sizes.
func TestStoryFirst(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 18}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, size[0], size[1], func(*testing.T, string) {})
			w.start("continuo")
			w.wait(`▌ Look around in a demo`)
			w.keys("Enter") // the first of two keys from an empty home to a conversation
			w.wait(`^▌ ● .*Fix refresh token`)
			w.keys("Enter")
			w.wait(`There are three copies|Both now`)
			w.keys("q")
			w.wait(`^▌ ● .*Fix refresh token`)

			w.keys("?")
			w.wait(`● live: A running Claude Code has`)
			w.keys("Escape")
			w.gone(`A running Claude Code has`)

			w.keys("Down")
			w.wait(`^▌ · .*Keep the centi`)
			w.keys("*")
			w.wait(`Starred “Keep the centimetres`)
			w.wait(`^▌ · .*[a-z…] \*  `)
			w.keys("t")
			w.wait(`Separate tags`)
			w.text("harbour")
			w.keys("Enter")
			w.wait(`Tagged “Keep`)
			w.keys("/")
			w.text("is:starred tag:harbour")
			w.wait(`Keep the centi`)
			w.gone(`Fix refresh token`)
			w.keys("Escape")
			w.wait(`all projects · `)

			w.keys("Space", "Space", "d")
			w.wait(`enter delete 2`)
			w.keys("Enter")
			w.wait(`Deleted 2 sessions\. u moves them back`)
			w.gone(`Keep the centi`)
			w.keys("u")
			w.wait(`enter undo`)
			w.keys("Enter")
			w.wait(`Undone: 2 sessions restored`)
			w.wait(`Keep the centi`)

			w.keys("g", "a")
			w.wait(`teahouse · (session 1 of )?\d+`)
			w.keys("a")
			w.wait(`all projects · `)
			w.keys("q")
			w.wait(`No sessions yet`)
			w.keys("q")
			w.ended(0)
		})
	}
}
