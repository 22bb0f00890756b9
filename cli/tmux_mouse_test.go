//go:build unix

package cli

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStoryMouse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 36, writeFullDemo)
	w.tmux("set-option", "-g", "mouse", "off") // tmux passes mouse events to the program
	w.start("continuo")
	w.wait(` 1 of 23(?:$|  )`)
	w.mouseRows()
	w.mouseTabs()
	w.mouseDivider()
	w.keys("q")
	w.ended(0)
}

func (w *world) mouseRows() {
	w.t.Helper()
	const title = "Move the slot picker"
	x, y := w.cell(title)
	w.click(x, y)
	w.wait(`^▌ \S .*` + title)
	w.click(x, y)
	w.wait(`^ ` + title + `.* messages`)
	w.wait(` message 53 of 53 .* 100 %$`)

	const last = `doesn't answer at all\.`
	w.wait(last)
	w.wheel(wheelUp, ` prompt [4-6] of 11$`) // the prompt in the first visible line
	w.gone(last)
	w.wheel(wheelDown, last)
	w.click(119, 4) // top of the scrollbar
	w.wait(` message 1 of 53 `)
	w.wait(`^ +▸ 3 steps`)
	x, y = w.cell("▸ 3 steps")
	w.click(x, y)
	w.wait(`^▌ +▾ \d+ step`)
	w.keys("q")
	w.wait(`^▌ \S .*` + title)

	w.resize(120, 20) // the list is now longer than the window
	w.gone(`Almanac without a December`)
	w.wheel(wheelDown, `^\S? +\S .*All stops on`)
	w.wheel(wheelUp, `^ +Today`)
	w.resize(120, 36)
	w.wait(`Almanac without a December`)
}

// wheel turns the wheel until the screen matches.
func (w *world) wheel(notch int, pattern string) {
	w.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	w.until(pattern, func(now string) bool {
		if re.MatchString(now) {
			return true
		}
		w.mouse(notch, 10, 10)
		return false
	})
}

func (w *world) mouseTabs() {
	w.t.Helper()
	x, y := w.cell("Documents 7")
	w.click(x+2, y)
	w.wait(` all projects · 7 documents `)
	x, y = w.cell("Backups 6")
	w.click(x, y)
	w.wait(` project +live file `)
	x, y = w.cell("Sessions 23")
	w.click(x+8, y)
	w.wait(` all projects · 23 sessions `)
}

func (w *world) mouseDivider() {
	w.t.Helper()
	from := w.divider()
	for _, to := range []int{from - 20, from} {
		w.mouse(mouseLeft, w.divider(), 12)
		w.mouse(mouseDrag, to+3, 13)
		w.mouse(mouseDrag, to, 14)
		w.release(to, 14)
		w.until("a divider in column "+strconv.Itoa(to), func(string) bool { return w.divider() == to })
		w.fits("list with a divider in column "+strconv.Itoa(to), 120, 36)
	}
}

// divider returns the divider's column, starting at 1.
func (w *world) divider() int {
	w.t.Helper()
	rule := strings.Split(w.look(), "\n")[1]
	return utf8.RuneCountInString(rule[:max(strings.Index(rule, "┬"), 0)]) + 1
}
