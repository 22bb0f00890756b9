//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// many returns 30 sessions of one project. The third has 40 turns.
func many() []past {
	var all []past
	for i := range 30 {
		all = append(all, past{n: i + 1, name: fmt.Sprintf("Row %02d of the list", i+1), folder: "harbour"})
	}
	all[2].turns = 40
	return all
}

// TestStoryResumeHere: after the client, the screen is exactly as before.
func TestStoryResumeHere(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 120, 24, func(home string) { tell(t, home, many()...) })
	folder := filepath.Join(d.code, "harbour")
	same := func(last, key string, args ...string) { // the text last appears after all other text
		t.Helper()
		d.wait(last)
		before := d.still()
		d.keys(key)
		d.started()
		if got := d.ask("#{alternate_on} #{cursor_flag} #{mouse_any_flag}"); got != "0 1 0" {
			t.Errorf("alternate screen, cursor, mouse of the client: %s", got)
		}
		d.ran(folder, args...)
		d.keys("Enter")
		d.until("been as before\n"+before, func(now string) bool { return now == before })
	}
	d.browse("Row 01", 30)
	d.keys("G")
	d.wait(` 30 of 30(?:$|  )`)
	d.keys("Up", "Up")
	d.wait(` 28 of 30(?:$|  )`)
	same(`Answer 1 of the talk`, "r", "--resume", past{n: 28}.id())

	d.keys("g", "Down", "Down")
	d.wait(` 3 of 30(?:$|  )`)
	same(`Last prompt, 40 of 40`, "f", "--resume", past{n: 3}.id(), "--fork-session")

	d.keys("Enter")
	d.wait(` message 80 of 80 `)
	for range 2 {
		at := d.match(` message \d+ of 80 `)[0]
		d.keys("PPage")
		d.gone(at)
	}
	lines := `(?s)80 messages.*(?:(?:Prompt|Answer) \d+ of the talk.*){9} message \d+ of 80 `
	same(lines, "r", "--resume", past{n: 3}.id())
	d.keys("f") // the bar isn't at the end, so the fork can end at the bar
	d.panel("h Fork here", "f Fork at the end")
	d.keys("Escape")
	d.gone(`Fork at the end`)
	d.keys("q")
	d.wait(`^▌ \S .*Row 03`)
	d.wait(` 3 of 30(?:$|  )`)
	d.leave()
}

// TestStoryResumeFails: the output of a failed client stays visible. An end by ctrl+c isn't a failure.
func TestStoryResumeFails(t *testing.T) {
	t.Parallel()
	bell := harbour()
	d := newResumeWorld(t, 120, 24, func(home string) { tell(t, home, bell) })
	folder := filepath.Join(d.code, "harbour")
	d.browse("Tune", 1)
	d.say("exit", "1")
	d.keys("r")
	d.started()
	d.ran(folder, "--resume", bell.id())
	d.keys("Enter")
	d.wait(`^claude ended with exit code 1\. Press enter to go back\.`)
	d.keys("Enter")
	d.wait(`^ ✗ Claude ended with exit code 1\.`)
	d.dismiss()
	d.keys("r")
	d.started()
	d.ran(folder, "--resume", bell.id())
	d.keys("C-c")
	d.wait(`^ continuo`)
	d.leave()

	d.say("exit", "1")
	d.start("continuo resume " + bell.id() + " --fork")
	d.started()
	d.ran(folder, "--resume", bell.id(), "--fork-session")
	d.keys("Enter")
	d.wait(`^✗ claude ended with exit code 1\.`)
	d.ended(out.ExitFailed)
}

// TestStoryResumeConfig: the configured arguments come before the user's. The variables of an enclosing client
// are removed.
func TestStoryResumeConfig(t *testing.T) {
	t.Parallel()
	bell := harbour()
	var file string
	d := newResumeWorld(t, 120, 24, func(home string) {
		tell(t, home, bell)
		file = filepath.Join(home, "config", "continuo", "config.toml")
		putFile(t, file, "[claude]\ncommand = \"~/my tools/client $(touch x)\"\nargs = [\"--model\", \"opus 5;\"]\n")
		putFile(t, filepath.Join(home, "my tools", "other"), "")
	})
	folder := filepath.Join(d.code, "harbour")
	tool := filepath.Join(d.home, "my tools", "client $(touch x)")
	if err := os.Symlink(filepath.Join(d.dir, "bin", "claude"), tool); err != nil {
		t.Fatal(err)
	}
	inherited := "CLAUDECODE=1 CLAUDE_CODE_CHILD_SESSION=1 CLAUDE_CODE_ENTRYPOINT=cli "
	d.inside = inherited
	d.browse("Tune", 1)
	d.keys("r")
	d.back()
	d.ran(folder, "--model", "opus 5;", "--resume", bell.id())
	d.leave(tool)

	d.start("continuo resume 'tune the harbour bell' --fork -- --add-dir '../a b' '$(touch x)' ''")
	d.started()
	d.ran(folder, "--model", "opus 5;", "--resume", bell.id(), "--fork-session", "--add-dir", "../a b", "$(touch x)", "")
	d.keys("Enter")
	d.ended(out.ExitDone, tool)

	putFile(t, file, "claude.command = \"no-such-client\"\n")
	d.browse("Tune", 1)
	d.keys("r")
	d.wait(`^ ✗ The command no-such-client cannot be found\. It is set as claude\.command in the config\. Change it there`)
	d.none()
	d.dismiss()
	d.leave(tool, file)

	putFile(t, file, "")
	d.start("env PATH=" + d.program + " continuo resume " + bell.id())
	d.wait(`^✗ The command claude is not on the PATH\. Install it, add its folder to PATH, or name it in the config`)
	d.ended(out.ExitFailed, tool, file)
	d.start("env PATH=" + d.program + " continuo")
	d.wait(` 1 of 1(?:$|  )`)
	d.keys("f")
	d.wait(`^ ✗ The command claude is not on the PATH\. Install it`)
	d.dismiss()
	d.leave(tool, file)
}

// TestStoryResumeRoots: CLAUDE_CONFIG_DIR is set only for sessions of another config directory.
func TestStoryResumeRoots(t *testing.T) {
	t.Parallel()
	home, work := harbour(), past{n: 2, name: "Count the lamps", folder: "pier", config: ".claude-work"}
	d := newResumeWorld(t, 120, 24, func(h string) { tell(t, h, home, work) })
	roots := "--claude-dir ~/.claude --claude-dir ~/.claude-work"
	d.browse("Tune", 2, roots)
	d.keys("r")
	d.back()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", home.id())
	d.pick("Count")
	d.keys("r")
	d.back()
	d.ranWith(filepath.Join(d.home, ".claude-work"), filepath.Join(d.code, "pier"), "--resume", work.id())
	d.leave()

	d.start("CLAUDE_CONFIG_DIR=$HOME/.claude continuo resume " + roots + " " + home.id())
	d.started()
	d.ranWith(d.config, filepath.Join(d.code, "harbour"), "--resume", home.id())
	d.keys("Enter")
	d.ended(out.ExitDone)

	d.sit()
	d.browse("Count", 2, roots)
	d.keys("w")
	d.wait(`─ Resume in ─`)
	d.keys("w")
	d.back()
	d.ranWith(filepath.Join(d.home, ".claude-work"), filepath.Join(d.code, "pier"), "--resume", work.id())
	d.leave()
}
