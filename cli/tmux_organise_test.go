//go:build unix

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryOrganise organises the list of sessions at four sizes. After a restart, all is as before.
func TestStoryOrganise(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 18}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, size[0], size[1], writeDemo)
			preview := func(pattern string) { // narrow screens show the preview instead of the list
				t.Helper()
				if size[0] < 100 {
					w.keys("p")
				}
				w.wait(`(?s)` + pattern)
				if size[0] < 100 {
					w.keys("p")
					w.wait(`^▌ · `)
				}
			}
			command := func(words, name string) { // runs a command of the palette
				t.Helper()
				w.keys(":")
				w.wait(`esc close`)
				w.text(words)
				w.wait(`▌ +` + name)
				w.keys("Enter")
				w.gone(`esc close`)
			}
			w.start("continuo && continuo")
			w.wait(`^▌ · .*Fix refresh token`)
			w.keys("Down")
			w.wait(`^▌ · .*Keep the centi`)
			preview(`  Keep the centimetres.*tides on main.*Sat Nov 21, 14:\d\d to 14:\d\d.*1 file changed.*Claude still knows all 8 messages.*` +
				`First prompt.*❯ The table for the old mole.*Last prompt, 2 of 2.*❯ Column width is fine.*Good\. Fair winds to the harbour`)

			w.keys("m")
			w.wait(`Shown in place of the title`)
			w.keys("C-u")
			w.text("Tide gauge")
			w.keys("Enter")
			w.wait(`Named “Tide gauge”`)
			w.keys("N")
			w.wait(`Shown in the preview`)
			w.text("Ask the harbour office")
			w.keys("Enter")
			w.wait(`Saved the note on “Tide gauge”`)
			preview(`  Tide gauge.*Ask the harbour office`)

			command("archive", "Archive, or show again")
			w.wait(`Archived “Tide gauge”\. Press \. to show archived sessions`)
			w.keys("g", ".")
			w.wait(`(?s)^▌ · .*Fix refresh token.*^  · .*Tide gauge`)
			w.keys(slices.Repeat([]string{"Down"}, 14)...)
			w.wait(`^▌ · .*List the shelves`)
			preview(`Hidden in Claude Code's list: headless run\.`)

			w.keys("/")
			w.wait(`Recent sessions`)
			w.text("is:hidden-from-picker")
			w.wait(`(?s)In titles 2.*^▌ · .*List the shelves`)
			w.keys("C-s")
			w.wait(`Saved “is:hidden-from-picker”`)
			w.keys("Escape")
			w.wait(`all projects · `)

			command("by size", "Sort by size")
			w.wait(`session.*size`)
			w.keys("g")
			w.wait(`^▌ · .*Move the slot picker.* \d+k`)
			command("group by project", "Group by project")
			w.wait(`^ {4}teahouse\b.*\n▌ · teahouse .*Move the slot picker`)

			w.keys("q") // the second continuo is starting
			w.wait(`^▌ · .*Fix refresh token`)
			w.gone(`Keep the centi|Tide gauge|List the shelves`)
			command("hidden-from", "Search “is:hidden-from-picker”")
			w.wait(`(?s)/ is:hidden-from-picker.*In titles 2.*^▌ · .*List the shelves`)
			w.keys("C-s")
			w.wait(`Removed the saved search “is:hidden-from-picker”`)
			w.keys("Escape")
			w.wait(`all projects · `)
			w.keys("q")
			state := filepath.Join(w.home, "state")
			w.ended(0, state, filepath.Join(state, "continuo"), filepath.Join(state, "continuo", "annotations.json"), filepath.Join(state, "continuo", "searches"))
		})
	}
}

// TestStoryReal finds, organises, reads and deletes real sessions, at four sizes.
func TestStoryReal(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 18}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, size[0], size[1], writeReal)
			w.start("continuo")
			w.wait(`^▌ \S .* \d+(d|mo)\b`)
			w.keys("Down", "*")
			w.wait(`Starred “Review Dep`)
			w.keys("/")
			w.wait(`Recent sessions`)
			w.text("is:starred")
			w.wait(`In titles 1\b`)
			w.keys("C-u")
			w.text("dependabot")
			w.wait(`In titles 2`)
			w.keys("Down", "Down", "Enter") // the first match in the first session
			w.wait(` message \d+ of \d+ .*%`)
			w.keys("Z")
			w.keys("g")
			w.wait(` message 1 of \d+ `)
			w.keys("i")
			w.wait(`Facts`)
			w.wait(`Tokens by kind`)
			w.keys("G")
			w.wait(`\.jsonl`)
			w.keys("i")
			w.gone(`Facts`)
			w.keys("q")
			w.wait(`In titles \d`)
			w.keys("C-u")
			w.text("is:hidden-from-picker")
			w.wait(`[1-9]\d* titles`)
			w.keys("Escape")
			w.wait(`all projects · `)
			w.keys("g", "Space", "Space", "d")
			w.wait(`enter delete 2`)
			w.keys("Enter")
			w.wait(`Deleted 2 sessions`)
			w.keys("u")
			w.wait(`enter undo`)
			w.keys("Enter")
			w.wait(`Undone: 2 sessions restored`)
			w.keys("q")
			w.wait(`^code 0$`)
		})
	}
}
