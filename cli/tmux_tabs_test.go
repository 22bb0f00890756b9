//go:build unix

package cli

import (
	"path/filepath"
	"testing"
)

func TestStoryTabs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 36, writeFullDemo)
	w.start("continuo")
	w.wait(`^ continuo +Sessions 23 +Backups 6 1! +Documents 7 +Ledger +Live 0 +\S+/here$`)
	w.keys("Tab")
	w.wait(` project +live file `)
	w.wait(`^ +Pending 1 +│.*\n▌ ! `)
	w.keys("Enter")
	w.wait(`^ message \d+ of \d+ .* 100 %$`)
	w.wait(`Cancellation window`)
	w.keys("q")
	w.wait(` project +live file `)
	w.keys("BTab")
	w.wait(` all projects · 23 sessions `)
	w.keys("G") // the last session has only a backup
	w.wait(`\n▌ ◐ teahouse +First sketch of the book.* only copy +41d `)
	w.wait(` ◐ only copy: the live transcript is gone`)
	w.wait(`^ enter read +d discard `)

	w.keys(":")
	w.wait(`╭─ Commands`)
	w.text("docu")
	w.wait(`: docu +2 of \d+`)
	w.wait(`│▌ +Documents +Tab `)
	w.keys("Enter")
	w.gone(`╭─ Commands`)
	w.wait(` all projects · 7 documents `)
	w.keys("?")
	w.wait(`╭─ Keys`)
	w.wait(` ctrl\+c +quit now `)
	w.text("filt") // filters the list of keys
	w.gone(` ctrl\+c +quit now `)
	w.wait(` / +filter by any text`)
	w.keys("Escape")
	w.gone(`╭─ Keys`)
	w.wait(` all projects · 7 documents `)

	w.keys("Enter")
	w.wait(`^ Guest tokens join the shared clock`)
	w.wait(`^▌ +Session Summary`)
	w.wait(` section 1 of 13 `)
	w.keys("}")
	w.wait(`^▌ +Accomplishments`)
	w.wait(` section 2 of 13 `)
	w.keys("{")
	w.wait(`^▌ +Session Summary`)
	w.keys("G")
	w.wait(` section 13 of 13 .* 100 %$`)
	w.keys("Escape")
	w.wait(` all projects · 7 documents `)
	w.keys("Tab")
	w.wait(`^ +teahouse · grimoires/loa`)
	w.keys("Tab")
	w.wait(` all projects · no session is live`)
	w.keys("Tab")
	w.wait(` all projects · 23 sessions `)
	w.keys("q")
	state := filepath.Join(w.home, "state")
	w.ended(0, state, filepath.Join(state, "continuo"), filepath.Join(state, "continuo", "seen")) // the backup is marked as reviewed
}
