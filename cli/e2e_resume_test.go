//go:build unix

// The tests in this file run the real client against a mock of its API (written for 2.1.329):
//
//	CONTINUO_E2E=1 CONTINUO_E2E_CLAUDE=/path/to/claude go test ./cli -run TestE2E
//
// Without CONTINUO_E2E_CLAUDE, they use the claude on the PATH. Without CONTINUO_E2E=1, only the mock is tested. They
// need tmux, but no network and no account. Each takes about ten seconds.

package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestE2EResume resumes a session from a browser in another folder.
func TestE2EResume(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	other := w.session("which tide is it")
	id := w.session("how is a bowline tied", "and a sheet bend")
	before, untouched := w.transcript(id), w.transcript(other)

	w.browse("bowline", 2)
	there := w.place()
	w.keys("r")
	w.ready("and a sheet bend")
	if shown := w.wait(`^● ` + heard("how is a bowline tied")); !strings.Contains(shown, "~/code") {
		t.Errorf("the client is not in the folder of the session:\n%s", shown)
	}
	if got := w.writers(id); len(got) != 1 {
		t.Errorf("the session is open in %v", got)
	}
	w.say("what holds best")
	w.exit()
	w.wait(`^ continuo`)
	if now := w.place(); now != there {
		t.Errorf("the browser was at\n%s\nand is at\n%s", there, now)
	}

	after := w.transcript(id)
	added, ok := strings.CutPrefix(after, before)
	if !ok {
		t.Fatal("the transcript does not begin any more as it did")
	}
	turns, _ := w.turns(added, id)
	sameTurns(t, "added to the transcript", turns, turnsOf("what holds best"))
	whole := turnsOf("how is a bowline tied", "and a sheet bend", "what holds best")
	sameTurns(t, "the model got", w.lastAsked(), whole[:len(whole)-1])
	if n := len(w.transcripts()); n != 2 || w.transcript(other) != untouched {
		t.Errorf("%d transcripts, or the other one changed", n)
	}

	w.wait(`^▌ · how is a bowline tied +(now|\d+s) +6 `) // the session is closed, and its count is updated
	w.keys("Enter", "Enter")
	w.wait(regexp.QuoteMeta(heard("what holds best")))
	w.out()
}

func TestE2EFork(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	id := w.session("how is a bowline tied", "and a sheet bend")
	before := w.transcript(id)

	w.browse("bowline", 1)
	w.keys("f")
	w.ready("and a sheet bend")
	if got := w.writers(id); len(got) != 0 {
		t.Errorf("the session itself is open in %v", got)
	}
	w.say("what holds best")
	w.exit()
	w.wait(`^ continuo`)
	w.forked(id, before, []string{"how is a bowline tied", "and a sheet bend"}, "what holds best")
	w.wait(`bowline +2 of 2`) // the list also shows the fork
	w.out()
}

// TestE2ELive: the session is open in another window. The browser offers to switch to that window.
func TestE2ELive(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	w.run("cd '" + w.code + "'; claude")
	w.ready("")
	w.say("how is a bowline tied")
	ids := slices.Collect(maps.Keys(w.transcripts()))
	if len(ids) != 1 {
		t.Fatalf("transcripts: %v", ids)
	}
	id, pane := ids[0], w.ask("#{pane_id}")
	writers, asked := w.writers(id), len(w.api.requests())
	if len(writers) != 1 {
		t.Fatalf("the session is open in %v", writers)
	}
	w.window(w.in("home", "elsewhere"))
	w.watch() // attach-session needs an attached client
	w.browse("bowline", 1)
	there := w.place()

	w.keys("r")
	panel := w.wait(`─ Resume ─`)
	for _, want := range []string{`live elsewhere`, fmt.Sprint("pid ", writers[0]), ` a +Attach`, ` f +Fork`, ` o +Open`} {
		if !regexp.MustCompile(want).MatchString(panel) {
			t.Errorf("the panel does not say %q:\n%s", want, panel)
		}
	}
	w.keys("Escape")
	w.gone(`─ Resume ─`)
	if now := w.place(); now != there {
		t.Errorf("the browser was at\n%s\nand is at\n%s", there, now)
	}
	w.keys("r")
	w.wait(`─ Resume ─`)
	w.keys("a")
	w.gone(`^ continuo`)
	w.ready("how is a bowline tied")
	if got := w.ask("#{pane_id}"); got != pane {
		t.Errorf("in pane %s, not %s where the client is", got, pane)
	}
	time.Sleep(time.Second) // a second client would register within 1 s
	if got := w.writers(id); !slices.Equal(got, writers) {
		t.Errorf("the session is open in %v, not in %v alone", got, writers)
	}
	turns, _ := w.turns(w.transcript(id), id)
	sameTurns(t, "the transcript", turns, turnsOf("how is a bowline tied"))
	if n := len(w.api.requests()); n != asked || len(w.transcripts()) != 1 {
		t.Errorf("%d requests, not %d; transcripts: %v", n, asked, w.transcripts())
	}

	w.tmux("last-window")
	w.wait(`^ continuo`)
	w.keys("r")
	w.wait(`─ Resume ─`)
	w.keys("o")
	w.wait(`▌ +o +Open`)
	w.keys("Enter") // the first key selects the choice, enter runs it
	w.ready("how is a bowline tied")
	if got := w.writers(id); len(got) != 2 {
		t.Errorf("the session is open in %v", got)
	}
	w.exit()
	w.wait(`^ continuo`)

	w.tmux("last-window")
	w.exit() // the session is closed now
	w.wait(`^claude --resume `)
	w.wait(`^\$ *$`)
	w.tmux("last-window")
	w.wait(`^ continuo`)
	w.keys("r")
	w.ready("how is a bowline tied")
	w.exit()
	w.wait(`^ continuo`)
	w.out()
}

func TestE2ELiveFork(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	id := w.session("how is a bowline tied")
	w.run("continuo resume " + id)
	w.ready("how is a bowline tied")
	w.window(w.in("home", "elsewhere"))
	w.browse("bowline", 1)
	before := w.transcript(id)
	w.keys("r")
	w.wait(`─ Resume ─`)
	w.keys("f")
	w.ready("how is a bowline tied")
	w.say("and a sheet bend")
	if got := w.writers(id); len(got) != 1 {
		t.Errorf("the session is open in %v", got)
	}
	w.exit()
	w.wait(`^ continuo`)
	w.forked(id, before, []string{"how is a bowline tied"}, "and a sheet bend")
	w.out()

	w.tmux("last-window")
	w.say("what holds best")
	w.exit()
	w.wait(`^\$ *$`)
	turns, _ := w.turns(w.transcript(id), id)
	sameTurns(t, "the live one", turns, turnsOf("how is a bowline tied", "what holds best"))
}

// TestE2EWindow resumes a session in a new window. A second resume must start no client.
func TestE2EWindow(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	id := w.session("how is a bowline tied")
	before, pane := w.transcript(id), w.ask("#{pane_id}")

	again := "continuo resume " + id + " --in window"
	w.run(again + "; " + again + "; echo code $?")
	w.ready("how is a bowline tied")
	if w.ask("#{pane_id}") == pane || w.ask("#{session_windows}") != "2" {
		t.Errorf("not in a window of its own: %s", w.tmux("list-panes", "-a"))
	}
	if got := w.writers(id); len(got) != 1 {
		t.Errorf("the session is open in %v", got)
	}
	w.say("and a sheet bend")
	w.exit()
	w.wait(`live elsewhere`) // from the second resume, in the first window
	if got := w.ask("#{pane_id} #{session_windows}"); got != pane+" 1" {
		t.Errorf("back in %s, not in %s", got, pane)
	}
	w.keys("Enter")
	w.wait(`^code 1$`)
	added, _ := strings.CutPrefix(w.transcript(id), before)
	turns, _ := w.turns(added, id)
	sameTurns(t, "added to the transcript", turns, turnsOf("and a sheet bend"))
	if n := len(w.transcripts()); n != 1 {
		t.Errorf("%d transcripts", n)
	}
}
