//go:build unix

package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestE2EDrive answers a question, queues a prompt, and closes the browser.
func TestE2EDrive(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	w.api.call = func(prompt string) (name, input string) {
		if prompt == "make it" {
			return "Bash", `{"command":"touch made","description":"Make a file"}`
		}
		if prompt == "which teas" {
			return "AskUserQuestion", `{"questions":[{"question":"Which teas?","header":"Tea","options":[{"label":"Green","description":"g"},{"label":"Black","description":"b"},{"label":"White","description":"w"}],"multiSelect":true}]}`
		}
		return "", ""
	}
	id := w.session("hello there")
	w.browse("hello there", 1)
	w.keys("w")
	w.wait(`In continuo`)
	w.keys("c")
	w.wait(`idle.*──`)
	w.wait(`I heard: hello there`)
	w.text("make it")
	w.wait(`❯ make it`)
	w.keys("Enter")
	w.wait(`\? Bash asks`)
	w.text("thanks")
	w.wait(`❯ thanks`)
	w.keys("Enter")
	w.wait(`❯ thanks +queued, sent when this turn ends`)
	if _, err := os.Stat(filepath.Join(w.code, "made")); err == nil {
		t.Error("the command ran before the answer")
	}
	w.keys("Escape")
	w.wait(`^ A answer `)
	w.keys("A")
	w.wait(`May it run this command\?`)
	w.wait(`touch made`)
	w.keys("Escape")
	w.gone(`May it run this`)
	w.keys("q")
	w.wait(`Live 1 1\?`)
	w.keys("r")
	w.wait(`\? Bash asks`)
	w.keys("Escape")
	w.wait(`^ A answer `)
	w.keys("A")
	w.wait(`May it run this command\?`)
	w.keys("e")
	w.wait(`Change the command of Bash`)
	w.text("2")
	w.wait(`❯ touch made2`)
	w.keys("Enter")
	w.wait(`May it run this command\? \(changed by you\)`)
	w.keys("o")
	w.gone(`May it run this`)
	w.wait(`I heard: make it`)
	w.wait(`I heard: thanks`)
	w.wait(`● idle`)
	_, made := os.Stat(filepath.Join(w.code, "made"))
	if _, err := os.Stat(filepath.Join(w.code, "made2")); err != nil || made == nil {
		t.Errorf("the edited command: %v, the other: %v", err, made)
	}
	w.keys("m")
	w.wait(`─ Mode and model ─`)
	w.keys("p")
	w.wait(`mode plan`)
	w.keys("m")
	w.wait(`─ Mode and model ─`)
	w.keys("d")
	w.wait(`mode default`)
	w.keys(">")
	w.wait(`^ enter send `)
	w.text("which teas")
	w.wait(`❯ which teas`)
	w.keys("Enter")
	w.wait(`\? Claude asks`)
	w.keys("Escape")
	w.wait(`^ A answer `)
	w.keys("A")
	w.wait(`Which teas\?`)
	w.keys("1", "3")
	w.wait(`\[x\] White`)
	w.keys("s")
	w.wait(`I heard: which teas`)
	w.wait(`● idle`)
	if text := w.transcript(id); !strings.Contains(text, `\"Which teas?\"=\"Green, White\"`) {
		t.Error("the transcript doesn't have both answers")
	}
	w.keys("q")
	w.wait(` all projects · 1 session`)
	w.wait(`Live 1`)
	w.keys("r") // r starts no second client
	w.wait(`● idle`)
	if pids := w.writers(id); len(pids) != 1 {
		t.Errorf("%d clients have the session open", len(pids))
	}

	// A fork has no transcript before its first prompt.
	w.keys("Escape")
	w.wait(`^ > write `)
	w.keys("w")
	w.wait(`Resume in`)
	w.keys("f")
	w.wait(`Fork in`)
	w.keys("c")
	w.wait(`A new session`)
	w.text("and now the fork")
	w.wait(`❯ and now the fork`)
	w.keys("Enter")
	w.wait(`I heard: and now the fork`)
	w.wait(`● idle`)
	// The new session is idle when the browser closes.
	w.keys("Escape")
	w.wait(`^ > write `)
	w.keys("q")
	w.wait(`I heard: which teas`) // the original session is below the fork
	w.keys("q")
	w.wait(`Live 2`)
	w.keys("BTab")
	w.wait(`driven by continuo`)
	w.keys("n")
	w.wait(`─ New session ─`)
	w.keys("Enter")
	w.wait(`A new session`)
	w.text("a fresh one")
	w.wait(`❯ a fresh one`)
	w.keys("Enter")
	w.wait(`I heard: a fresh one`)
	w.wait(`● idle`)
	w.keys("C-c")
	w.wait(`─ Close continuo ─`)
	w.wait(`hello there`)
	w.keys("e")
	w.wait(`Ended the session ` + id)
	w.wait(`^code 0$`)
	if turns, _ := w.turns(w.transcript(id), id); !slices.ContainsFunc(turns, func(turn apiTurn) bool { return strings.Contains(turn.Text, "thanks") }) {
		t.Errorf("the transcript has\n%s", turnLines(turns))
	}
}

// TestE2EDriveLive: the session is open in a terminal, so only a fork can be driven.
func TestE2EDriveLive(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	w.run("cd '" + w.code + "'; claude")
	w.ready("")
	w.say("how is a bowline tied")
	ids := slices.Collect(maps.Keys(w.transcripts()))
	if len(ids) != 1 {
		t.Fatalf("transcripts: %v", ids)
	}
	id := ids[0]
	writers := w.writers(id)
	w.window(w.in("home", "elsewhere"))
	w.browse("bowline", 1)
	drive := func() string {
		w.keys("w")
		w.wait(`In continuo`)
		w.keys("c")
		return w.wait(`live elsewhere`)
	}
	if panel := drive(); !strings.Contains(panel, "Fork") {
		t.Errorf("no fork is offered:\n%s", panel)
	}
	w.keys("o")
	w.wait(`▌ +o +Open`)
	w.keys("Enter")
	w.wait(`Another client has this session open`) // that would be a second writer
	if got := w.writers(id); !slices.Equal(got, writers) {
		t.Errorf("the session is open in %v, not in %v alone", got, writers)
	}
	drive()
	before := w.transcript(id)
	w.keys("f")
	w.wait(`A new session`)
	w.text("and a sheet bend")
	w.wait(`❯ and a sheet bend`)
	w.keys("Enter")
	w.wait(`I heard: and a sheet bend`)
	w.wait(`● idle`)
	if got := w.writers(id); !slices.Equal(got, writers) {
		t.Errorf("after the fork, the session is open in %v, not in %v alone", got, writers)
	}
	w.forked(id, before, []string{"how is a bowline tied"}, "and a sheet bend")
	w.keys("C-c")
	w.wait(`─ Close continuo ─`)
	w.keys("C-c")
	w.wait(`^code 0$`)
	w.tmux("last-window")
	w.exit()
	w.wait(`^claude --resume `)
}
