//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryTurns reads the demo's conversations at two sizes, and exports one.
func TestStoryTurns(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			if size[0] != 120 {
				drilltest.SkipUnderRace(t)
			}
			w := newWorld(t, size[0], size[1], writeDemo)
			wide := size[0] >= 100
			read := func(title string, messages int) { // opens the session with this title
				t.Helper()
				w.keys("/")
				w.text(title)
				w.wait(`^▌ .*` + title)
				w.keys("Enter")
				w.wait(fmt.Sprintf(` message \d+ of %d( |$)`, messages))
			}
			leave := func() {
				t.Helper()
				w.keys("q")
				w.wait(`match(es)? in |\d titles? `)
				w.keys("Escape")
				w.wait(`all projects · `)
			}
			w.start("continuo")
			w.wait(`^▌ · .*Fix refresh token`)
			w.keys("Enter")
			w.wait(` message 23 of 23 `)

			// The facts count the project and all projects, and open a failed call.
			w.keys("i")
			w.wait(`^ Facts +session +teahouse +all projects`)
			w.wait(`^ +opus +1\.6k +19`)
			w.keys("Tab")
			w.wait(`^ The last 30 days\.`)
			w.keys("Tab")
			w.wait(`^ The last 30 days\.`)
			w.keys("Tab")
			w.wait(`^ Each message is counted once`)
			if wide {
				w.keys("j", "j", "j", "j", "j", "j", "Enter")
				w.wait(`^▌ +▸ Bash +go test \./\.\.\. +✗ exit 1`)
				w.keys("q")
				w.wait(`^ Facts +session`)
			}
			w.keys("q")
			w.wait(` message 23 of 23 `)

			// Only the last turn is open, with a line for each call.
			w.wait(`^ +▾ 3 steps: 2 edits \+7 −2`)
			w.wait(`^ +▸ Edit +src/auth/guest\.go +\+1 −2`)
			w.wait(`^ +▸ Bash +go test \./src/auth +✓ 4\.0 s`)
			w.keys("g")
			w.wait(`^▌ ❯ Tokens issued right before midnight`)
			if wide {
				w.wait(`^ +▸ 6 steps: 1 read, 1 search, 1 agent, 2 edits \+3 −2, 1 command, 1 failed +1 min`)
			} else {
				w.wait(`^ +▸ 6 steps: 1 agent, 2 edits \+3 −2, 1 failed +1 min`)
			}

			w.keys("j", "Enter")
			w.wait(`^▌ +▾ 6 steps: `)
			w.wait(`^ +▸ Grep +claims\\\.Exp.* 3 matches in 3 files`)
			w.keys(")")
			w.wait(`^▌ +▸ Bash +go test \./src/auth -run Midnight +✗ exit 1`)
			w.keys("Enter")
			w.wait(`^▌ +▾ Bash +go test \./src/auth -run Midnight +✗ exit 1`)
			w.wait(`guest_test\.go:88: token is expired by 2s`)
			w.keys(")")
			w.wait(`^▌ +▸ Bash +go test \./\.\.\. +✗ exit 1 · 11\.8 s`)
			w.keys(")")
			w.wait(`^ No failed call after this one\.`)

			w.keys("/")
			w.text("Find every other caller")
			w.keys("Enter")
			w.wait(` match \d of \d `)
			w.keys("N")
			w.wait(`^▌ .*Agent +Find every other`)
			w.keys("Enter")
			w.wait(`^ .*Find every other caller of Check`)
			w.wait(`has no leeway at all`)
			w.keys("q")
			w.wait(`^ Fix refresh token race at midnight .* 23 messages`)

			w.keys("Escape")
			w.gone(`   match \d`)
			w.keys("#")
			w.wait(`a number, 14:05`)
			w.text("1")
			w.keys("Enter")
			w.wait(`^▌ ❯ Tokens issued right before midnight`)

			w.keys("v", "j", "y")
			w.wait(`^ Copied \d messages? as markdown\.`)
			w.keys("E")
			w.wait(`▌ +m +Markdown`)
			w.keys("l")
			w.wait(`❯ session-1d4f13a4\.jsonl`)
			w.keys("Enter")
			w.wait(`Nothing has changed yet`)
			w.keys("Enter")
			w.gone(`Nothing has changed yet`)
			exported := w.in("here", "session-1d4f13a4.jsonl")
			eventually(t, "exported", func() bool { _, err := os.Stat(exported); return err == nil })
			live, err := filepath.Glob(filepath.Join(w.config, "projects", "*", "1d4f13a4*.jsonl"))
			if err != nil || len(live) != 1 {
				t.Fatal(live, err)
			}
			if got, want := readFile(t, exported), readFile(t, live[0]); got != want {
				t.Errorf("exports %d bytes of %d", len(got), len(want))
			}
			w.wait(`^ Exported to `)
			w.keys("u")
			w.wait(`─ Undo ─|^ Undo`)
			w.keys("Enter")
			eventually(t, "undone", func() bool { _, err := os.Stat(exported); return os.IsNotExist(err) })
			w.gone(`─ Undo ─`)
			w.keys("q")
			w.wait(`all projects · `)

			read("Cancellation window", 7)
			if wide {
				w.wait(`1 notice hidden \(\.\)`)
			}
			w.keys(".")
			w.gone(`notice hidden`)
			w.keys(".")
			if wide {
				w.wait(`1 notice hidden \(\.\)`)
			}
			leave()

			read("Rewrite the waitlist", 8)
			w.wait(`◇ 1 other branch from here`)
			w.keys("b")
			w.wait(`claude --resume would not show it`)
			w.wait(`❯ Yes, and make the subject line shorter`)
			w.gone(`❯ Wait, first show me`)
			w.keys("b")
			w.wait(`❯ Wait, first show me`)
			w.keys("T")
			w.wait(`Family  1 session, 1 hidden branch`)
			w.keys("Down", "Enter")
			w.wait(`^▌ ◇ Branch 1 · 3 messages · hidden on resume`)
			w.keys("q")
			w.wait(`^▌ ╰─ ◇ Yes, and make the subject`)
			w.keys("q")
			w.wait(`^ Rewrite the waitlist`)
			leave()

			read("Move the slot picker", 53)
			w.keys("g", "]")
			w.wait(`^▌ .*[Cc]ompact`)
			w.keys("j", "j", "Enter")
			w.wait(`^▌ +▾ Not in the summary  11 of 15: 2 decisions, 6 files, 3 commands`)
			w.keys("j", "Enter")
			w.wait(`^▌ +▸ AskUserQuestion `)
			leave()

			read("Why is the nightly export", 8)
			w.keys("T")
			w.wait(`┃ \d\d:\d\d  /clear, continues below`)
			w.wait(`^▌ · Why is the nightly export slow\?`)
			w.keys("Up", "Enter")
			w.wait(`^ Six new teas for the menu .* messages`)
			w.keys("q")
			w.wait(`^▌ · Six new teas for the menu`)
			w.keys("q")
			w.wait(`^ Why is the nightly export`)
			leave()
			w.keys("q")
			w.ended(0, everything(filepath.Join(w.home, "state"))...)

			html := filepath.Join(w.home, "token.html")
			w.start("continuo export --format html --output " + html + " 1d4f13a4")
			eventually(t, "exported", func() bool { _, err := os.Stat(html); return err == nil })
			page := readFile(t, html)
			if !strings.Contains(page, "Tokens issued right before midnight") || strings.Contains(page, "<script") {
				t.Errorf("the page is %.200s", page)
			}
		})
	}
}
