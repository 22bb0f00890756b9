//go:build unix

package cli

import (
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryResize makes each screen 40 by 10 cells and large again. The large screen must look as before.
func TestStoryResize(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	w := newWorld(t, 120, 36, writeDemo)
	const title = "Move the slot p"
	w.start("continuo")
	w.wait(` 1 of 22(?:$|  )`)
	w.keys("j", "j", "j", "j", "j", "j", "j", "j", "j")
	w.wait(` 10 of 22(?:$|  )`)
	w.keys("a") // otherwise, a small window scrolls the list permanently
	w.wait(`teahouse · \d+ sessions`)
	w.wait(`9 files changed`) // what the list loads last
	w.smaller("list", `^▌ \S .*`+title)

	w.keys("?")
	w.wait(`╭─ Keys`)
	w.smaller("help", `esc close`)
	w.keys("Escape")
	w.gone(`╭─ Keys`)
	w.keys(":")
	w.text("pre")
	w.wait(`: pre +\d+ of \d+`)
	w.smaller("palette", `^  : pre +\d+ of \d+`)
	w.keys("Escape")
	w.gone(`: pre`)
	w.wait(`^▌ \S .*` + title)

	w.keys("Enter")
	w.wait(`^ ` + title)
	w.wait(`^▌ +The old day stays`)
	w.smaller("end of the conversation", `^ `+title)
	w.keys("Z", "g") // all turns are open
	w.wait(`^▌ ❯ `)
	w.keys("PageDown", "PageDown")
	w.wait(` prompt \d of 11 `)
	w.smaller("middle of the conversation", `^ `+title)
	w.keys("?")
	w.wait(`╭─ Keys`)
	w.smaller("help of the reader", `esc close`)
	w.keys("Escape")
	w.gone(`╭─ Keys`)

	w.keys("q")
	w.wait(`^▌ \S .*` + title)
	w.keys("q")
	w.ended(0)
}

// smaller makes the window small and then large again.
func (w *world) smaller(what, small string) {
	w.t.Helper()
	before := w.still()
	for _, size := range [][2]int{{40, 10}, {60, 20}} {
		w.resize(size[0], size[1])
		w.wait(small)
		w.still()
		w.fits(what, size[0], size[1])
		w.resize(120, 36)
		w.until("what was there of the "+what+":\n"+before, func(now string) bool { return now == before })
		w.fits(what, 120, 36)
	}
}
