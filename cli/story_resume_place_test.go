//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// windows returns the tmux windows as "index:panes".
func (d *resumeWorld) windows() string {
	d.t.Helper()
	return strings.TrimSpace(strings.ReplaceAll(d.tmux("list-windows", "-F", "#{window_index}:#{window_panes}"), "\n", " "))
}

// opened waits until the client runs at the place, checks the windows, and ends the client. Then it waits for
// the shell or the browser.
func (d *resumeWorld) opened(place, back string, looker screen) {
	d.t.Helper()
	looker.wait(`the client runs`)
	want := map[string]string{"here": "0:1", "window": "0:1 1:1", "split": "0:2", "popup": "0:1"}[place]
	if got := d.windows(); got != want {
		d.t.Errorf("in a %s the windows are %s, not %s", place, got, want)
	}
	if seen := strings.Contains(d.look(), "the client runs"); seen == (place == "popup") {
		d.t.Errorf("in a %s, the pane shows the client only if the place is not a popup:\n%s", place, d.look())
	}
	looker.keys("Enter")
	d.behind(back)
	if place == "popup" {
		looker.gone(`the client runs`)
	}
	if got := d.windows(); got != "0:1" {
		d.t.Errorf("behind a %s there is left %s", place, got)
	}
}

// TestStoryPlaces starts the client in each place, with the key w and with --in.
func TestStoryPlaces(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	looker, folder := d.sit(), filepath.Join(d.code, "harbour")
	d.tmux("set-environment", "-g", "CLAUDECODE", "1")
	d.tmux("set-environment", "-g", "CLAUDE_CODE_CHILD_SESSION", "1")
	d.tmux("set-environment", "-g", "CLAUDE_CODE_ENTRYPOINT", "cli")
	d.tmux("set-environment", "-g", "CLAUDE_CONFIG_DIR", "/nowhere")
	d.browse("Tune", 1)
	for _, place := range []struct{ letter, name string }{{"w", "window"}, {"s", "split"}, {"p", "popup"}, {"h", "here"}} {
		d.keys("w")
		d.wait(`─ Resume in ─`)
		d.keys(place.letter)
		d.opened(place.name, `^ continuo`, looker)
		d.ran(folder, "--resume", harbour().id())
		switch place.name {
		case "window":
			d.wait(`^ Started in tmux window 0:1\.`)
		case "split":
			d.wait(`^ Started beside this\.`)
		}
	}
	d.leave()
	for _, place := range []string{"window", "split", "popup", "here"} {
		d.start("continuo resume " + harbour().id() + " --fork --in " + place + " -- --model 'a b' 'c;' '#{pane_id}'")
		d.opened(place, `^code 0`, looker)
		d.ran(folder, "--resume", harbour().id(), "--fork-session", "--model", "a b", "c;", "#{pane_id}")
		switch place {
		case "window":
			d.wait(`^Started in tmux window 0:1\.`)
		case "split":
			d.wait(`^Started beside this\.`)
		}
		d.ended(out.ExitDone)
	}
}

// TestStoryPlaceOfConfig: r uses resume.in, and w overrides it.
func TestStoryPlaceOfConfig(t *testing.T) {
	t.Parallel()
	var file string
	d := newResumeWorld(t, 100, 30, func(home string) {
		tell(t, home, harbour())
		file = filepath.Join(home, "config", "continuo", "config.toml")
		putFile(t, file, "resume.in = \"window\"\n")
	})
	folder := filepath.Join(d.code, "harbour")
	// Outside tmux, resume.in is ignored.
	d.browse("Tune", 1)
	d.keys("w")
	d.wait(`─ Resume in ─`)
	d.keys("w")
	d.wait(`Window: not inside tmux`)
	d.keys("Escape")
	d.gone(`─ Resume in ─`)
	d.none()
	d.keys("r")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	d.leave()
	d.start("continuo resume --in window " + harbour().id())
	d.wait(`^△ continuo isn't running inside tmux\.`)
	d.wait(`^ +h +Here`)
	d.keys("w", "Enter")
	d.wait(`^There is no w here\.`)
	d.keys("h", "Enter")
	d.started()
	d.ran(folder, "--resume", harbour().id())
	d.keys("Enter")
	d.ended(out.ExitDone)

	looker := d.sit()
	d.browse("Tune", 1)
	d.keys("r")
	d.opened("window", `^ continuo`, looker)
	d.ran(folder, "--resume", harbour().id())
	d.keys("w")
	d.wait(`─ Resume in ─`)
	d.keys("h")
	d.opened("here", `^ continuo`, looker)
	d.ran(folder, "--resume", harbour().id())
	d.say("exit", "1")
	d.keys("r")
	d.started()
	d.ran(folder, "--resume", harbour().id())
	d.keys("Enter")
	eventually(t, "kept the pane", func() bool {
		d.tmux("run-shell", "true")
		return d.ask("#{pane_dead} #{pane_dead_status}") == "1 1"
	})
	if !strings.HasPrefix(d.look(), "the client runs\n") {
		t.Errorf("the pane has\n%s", d.look())
	}
	d.tmux("kill-pane")
	d.wait(`^ continuo`)
	d.leave()
	d.say("exit", "0")
	d.start("continuo resume " + harbour().id() + " --in auto") // auto means here
	d.opened("here", `^code 0`, looker)
	d.ran(folder, "--resume", harbour().id())
	d.ended(out.ExitDone)
}

// TestStoryPopup: in a popup, r opens a window and ends the browser. A popup can't open another popup.
func TestStoryPopup(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	looker, folder := d.sit(), filepath.Join(d.code, "harbour")
	open := func() {
		t.Helper()
		d.start("tmux display-popup -E -w 90% -h 90% continuo")
		looker.wait(`▌ \S Tune the harbour bell`)
	}
	open()
	looker.keys("w")
	looker.wait(`Resume in`)
	looker.keys("p")
	looker.wait(`Popup: a popup cannot open another`)
	looker.keys("w")
	d.opened("window", `^code 0`, looker)
	d.ran(folder, "--resume", harbour().id())
	d.ended(out.ExitDone)
	open()
	looker.keys("r")
	d.opened("window", `^code 0`, looker)
	d.ran(folder, "--resume", harbour().id())
	d.ended(out.ExitDone)
	open()
	looker.keys("w")
	looker.wait(`Resume in`)
	looker.keys("h")
	looker.wait(`the client runs`)
	d.ran(folder, "--resume", harbour().id())
	looker.keys("Enter")
	looker.wait(`▌ \S Tune the harbour bell`) // the browser is still open
	looker.keys("q")
	d.ended(out.ExitDone)
}

// TestStoryOtherFolder enters a different folder with tab, with ~, or from the list.
func TestStoryOtherFolder(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) {
		tell(t, home, harbour(), past{n: 2, name: "Count the lamps", folder: "pier"}, past{n: 3, name: "Paint the gates", folder: "pier lights; $(touch x)"})
	})
	named := func(typed ...string) {
		t.Helper()
		d.keys("w")
		d.wait(`─ Resume in ─`)
		d.keys("d")
		d.wait(`─ Another folder ─`)
		for _, text := range typed {
			d.text(text)
			d.wait(`│ +❯ .*` + text + ` +│`)
		}
	}
	d.browse("Tune", 3)
	named("~/code/pier l")
	d.keys("Tab")
	d.wait(`❯ ~/code/pier lights; \$\(touch x\)/ `)
	d.keys("Enter")
	d.back()
	d.ran(filepath.Join(d.code, "pier lights; $(touch x)"), "--resume", harbour().id())

	named()
	d.wait(`│ +~/code/pier +│`) // the most recent projects are offered
	d.keys("Down")
	d.wait(`│▌ +~/code/pier +│`)
	d.keys("Enter")
	d.back()
	d.ran(filepath.Join(d.code, "pier"), "--resume", harbour().id())

	named(filepath.Join(d.code, "quay"))
	d.wait(`No folder starts with this\.`)
	d.keys("Enter")
	d.panel("There is no folder ~/code/quay.", "d Another folder", "c Make it", "create an empty folder and start there")
	d.offers("dc")
	d.keys("d")
	d.wait(`─ Another folder ─`)
	d.keys("Escape")
	d.gone(`─ Another folder ─`)
	d.none()
	d.leave()

	d.start("continuo resume " + harbour().id() + " --folder ../home/code/pier")
	d.started()
	d.ran(filepath.Join(d.code, "pier"), "--resume", harbour().id())
	d.keys("Enter")
	d.ended(out.ExitDone)
}
