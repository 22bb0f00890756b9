//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// TestStoryLive: another client has the session open. The panel explains the second writer first.
func TestStoryLive(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 120, 30, func(home string) { tell(t, home, harbour()) })
	folder := filepath.Join(d.code, "harbour")
	d.live(`"busy"`)
	other, end := d.elsewhere(harbour())
	d.browse("Tune", 1)
	says := []string{
		"Resume", "Tune the harbour bell", "● This session is live elsewhere.", fmt.Sprintf("pid %d in ~/code/harbour has it open since 15:49 and is busy, as of 40 s ago.", other.pid),
		"Two writers would fork the session, and resume would show only one branch.",
		"f Fork", "claude --resume 5e550000 --fork-session", "o Open", "two writers fork the session; one branch becomes hidden", "Nothing has run yet.",
	}
	d.keys("r")
	d.panel(says...)
	d.offers("fo")
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	d.keys("r")
	d.panel(says...)
	d.keys("q")
	d.gone(`─ Resume ─`)
	d.none()
	d.keys("r")
	d.panel(says...)
	d.keys("Enter") // the safe choice is preselected
	d.back()
	d.ran(folder, "--resume", harbour().id(), "--fork-session")
	d.keys("f") // a fork needs no confirmation
	d.back()
	d.ran(folder, "--resume", harbour().id(), "--fork-session")
	d.keys("r")
	d.panel(says...)
	d.keys("o")
	d.wait(`▌ +o +Open`)
	d.none()
	d.keys("Enter")
	d.back()
	d.ran(folder, "--resume", harbour().id())

	for status, says := range map[string]string{
		`"waiting","waitingFor":"permission prompt"`: "and waits for you (permission prompt), as of 40 s ago.",
		`"idle"`: "and is idle, as of 40 s ago.",
		`"new"`:  "has it open since 15:49, as of 40 s ago.",
	} {
		end()
		d.live(status)
		other, end = d.elsewhere(harbour())
		d.keys("r")
		d.panel(fmt.Sprintf("pid %d in ~/code/harbour has it open", other.pid), says[strings.Index(says, "15:49")+1:])
		d.keys("Escape")
		d.gone(`─ Resume ─`)
	}
	end() // A killed client has left its entry, and another process has its PID.
	entry := func(pid int, text string) string {
		path := filepath.Join(d.config, "sessions", strconv.Itoa(pid)+".json")
		putFile(t, path, text)
		return path
	}
	start := "99999999"
	if runtime.GOOS != "linux" {
		start = "Mon Jan 1 00:00:00 2001"
	}
	entry(other.pid, "no JSON")
	entry(1, fmt.Sprintf(`{"pid":1,"sessionId":%q,"procStart":%q,"status":"busy"}`, harbour().id(), start))
	d.keys("r")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	unclear := entry(os.Getpid(), "no JSON") // its process may have this session open
	d.keys("r")
	d.panel("continuo couldn't check whether this session is live.", "If it is open elsewhere, two writers would fork the session", "f Fork", "o Open")
	d.offers("fo")
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	if err := os.Remove(unclear); err != nil {
		t.Fatal(err)
	}
	d.leave(d.registry()...)
}

// TestStoryLiveSmall: on a small screen, a choice must be visible before it can be confirmed.
func TestStoryLiveSmall(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 40, 10, func(home string) { tell(t, home, harbour()) })
	d.live(`"busy"`)
	_, end := d.elsewhere(harbour())
	d.start("continuo")
	d.wait(`^▌ \S .*Tune the harbour`)
	d.keys("r")
	if now := d.wait(`This session is live elsewhere\.`); strings.Contains(now, "Fork") || strings.Contains(now, "Open") {
		t.Errorf("there is room for all of it:\n%s", now)
	}
	d.keys("Enter") // the selected fork isn't visible
	d.wait(`^▌ +f +Fork`)
	d.none()
	d.keys("o")
	if now := d.wait(`^▌ +o +Open`); !strings.Contains(now, "two writers fork") {
		t.Errorf("the effect of Open is not shown:\n%s", now)
	}
	d.keys("o", "o")
	d.none()
	d.keys("Enter")
	d.started()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", harbour().id())
	d.keys("Enter")
	d.wait(`^▌ \S .*Tune the harbour`)
	end()
	d.leave(d.registry()...)
}

// TestStoryLivePane switches to the pane that has the session open. No client is started.
func TestStoryLivePane(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	d.sit()
	d.live(`"busy"`)
	here := d.ask("#{pane_id}")
	open := func() string {
		d.tmux("new-window", "-d", "-c", filepath.Join(d.code, "harbour"), filepath.Join(d.dir, "bin", "claude"), "--resume", harbour().id())
		d.ran(filepath.Join(d.code, "harbour"), "--resume", harbour().id())
		return strings.Fields(d.tmux("list-panes", "-t", ":1", "-F", "#{pane_id}"))[0]
	}
	pane := open()
	d.browse("Tune", 1)
	d.keys("r")
	d.panel("live elsewhere", "in tmux 0:1 has it open", "a Attach", "switch to its tmux pane", "tmux switch-client -t 0:1", "f Fork", "o Open")
	d.offers("afo")
	d.keys("a")
	d.started()
	if got := d.ask("#{pane_id}"); got != pane {
		t.Errorf("the active pane is %s, not %s", got, pane)
	}
	d.none()
	d.tmux("select-window", "-t", ":0")
	d.wait(`^▌ \S .*Tune`)
	d.keys("f") // a fork is safe while the session is open
	d.back()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", harbour().id(), "--fork-session")
	d.leave(d.registry()...)

	d.start("continuo resume --attach " + harbour().id())
	d.started()
	if got := d.ask("#{pane_id}"); got != pane {
		t.Errorf("the active pane is %s, not %s", got, pane)
	}
	d.keys("Enter") // ends the client
	d.ended(out.ExitDone, d.registry()...)
	d.start("continuo resume --attach " + harbour().id())
	d.wait(`^✗ The session isn't live, so there is no pane to switch to\.`)
	d.ended(out.ExitNo, d.registry()...)
	_, end := d.elsewhere(harbour())
	d.start("continuo resume --attach " + harbour().id())
	d.wait(`^✗ The session is live, but not in a known tmux pane\.`)
	d.ended(out.ExitNo, d.registry()...)
	end()
	if got := d.ask("#{pane_id}"); got != here {
		t.Errorf("the active pane is %s, not %s", got, here)
	}
}

// TestStoryStarting: no second client starts before the first is in the registry.
func TestStoryStarting(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	d.sit()
	folder := filepath.Join(d.code, "harbour")
	d.browse("Tune", 1)
	d.tmux("send-keys", "-t", d.ask("#{pane_id}"), "w", "w", "w", "w")
	d.started()
	d.tmux("select-window", "-t", ":0")
	d.wait(`Started in tmux window 0:1\.|was started here`) // either message may be shown last
	started := d.ran(folder, "--resume", harbour().id())
	d.keys("C-c")
	d.ended(out.ExitDone)
	d.browse("Tune", 1)
	d.keys("r")
	d.panel(fmt.Sprintf("pid %d in tmux 0:1 was started here", started.pid), "Two writers", "a Attach", "f Fork", "o Open")
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	d.leave()

	d.start("continuo resume </dev/null " + harbour().id())
	d.wait(`^✗ This session is live elsewhere\. pid \d+ in tmux 0:1 was started here`)
	for _, flag := range []string{"--attach", "--fork", ".*--second-writer"} {
		d.wait(`^  hint  continuo resume ` + harbour().id() + ` ` + flag)
	}
	d.ended(out.ExitNo)
	d.start("continuo resume " + harbour().id())
	d.wait(`^Choose a letter, or enter to cancel:`)
	d.keys("a", "Enter")
	d.started()
	d.keys("Enter")
	d.ended(out.ExitDone)
	d.start("continuo resume " + harbour().id()) // the client has exited, so its claim has ended
	d.started()
	d.ran(folder, "--resume", harbour().id())
	d.keys("Enter")
	d.ended(out.ExitDone)
}

// TestStoryKeyMeanwhile presses a key while tmux opens a window slowly.
func TestStoryKeyMeanwhile(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	program, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	slow := filepath.Join(d.dir, "bin", "tmux")
	putProgram(t, slow, "#!/bin/sh\ncase \" $* \" in *' new-window '*) ;; *) exec '"+program+"' \"$@\" ;; esac\nout=$('"+program+"' \"$@\")\n"+
		"while [ -f '"+d.dir+"/slow' ]; do sleep 0.05; done\necho \"$out\"\n")
	d.say("slow", "")
	d.sit()
	d.browse("Tune", 1)
	d.keys("w")
	d.wait(`─ Resume in ─`)
	d.keys("w")
	d.started()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", harbour().id())
	d.tmux("select-window", "-t", ":0")
	d.wait(`^ continuo`)
	d.keys("?")
	d.wait(`esc close`)
	d.keys("Escape")
	d.gone(`esc close`)
	if err := os.Remove(filepath.Join(d.dir, "slow")); err != nil {
		t.Fatal(err)
	}
	d.keys("r")
	d.panel("This session is live elsewhere.", "was started here")
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	d.tmux("select-window", "-t", ":1")
	d.back()
	d.leave()
}

// TestStoryTwoBrowsers starts the same session in two browsers at once.
func TestStoryTwoBrowsers(t *testing.T) {
	t.Parallel()
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, harbour()) })
	d.sit()
	first := d.ask("#{pane_id}")
	d.browse("Tune", 1)
	second := strings.TrimSpace(d.tmux("new-window", "-c", d.in("here"), "-P", "-F", "#{pane_id}", "env", "PATH="+d.paths, "continuo"))
	d.wait(`^▌ \S .*Tune`)
	for _, pane := range []string{first, second} {
		d.tmux("send-keys", "-t", pane, "w")
		eventually(t, "asked where", func() bool { return strings.Contains(d.tmux("capture-pane", "-p", "-t", pane), "─ Resume in ─") })
	}
	// The browsers have read the registry when they ask for the version.
	d.say("hold", "")
	d.tmux("send-keys", "-t", first, "w", ";", "send-keys", "-t", second, "w")
	eventually(t, "asked for the version twice", func() bool {
		asked, err := os.ReadDir(filepath.Join(d.dir, "asked"))
		return err == nil && len(asked) == 2
	})
	if err := os.Remove(filepath.Join(d.dir, "hold")); err != nil {
		t.Fatal(err)
	}
	shown := func(pane string) string { return d.tmux("capture-pane", "-p", "-t", pane) }
	refused := 0
	for _, pane := range []string{first, second} {
		eventually(t, "answered", func() bool {
			now := shown(pane)
			if strings.Contains(now, "Started in tmux") {
				return true
			}
			if strings.Contains(now, "This session is live elsewhere.") || strings.Contains(now, "has just been opened by somebody else") {
				refused++
				return true
			}
			return false
		})
	}
	d.started()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", harbour().id())
	if refused != 1 {
		t.Errorf("%d browsers were refused:\n%s%s", refused, shown(first), shown(second))
	}
	d.keys("Enter")
	d.tmux("kill-pane", "-t", second)
	d.behind(`^ continuo`)
	if refusal := `─ Resume ─|^ ✗`; regexp.MustCompile(`(?m)` + refusal).MatchString(d.look()) {
		d.keys("Escape")
		d.gone(refusal)
	}
	d.leave()
}
