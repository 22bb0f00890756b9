//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestE2EDrive resumes a session in continuo, answers its question, queues a prompt, and ends it with the browser.
func TestE2EDrive(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	w.api.call = func(prompt string) (name, input string) {
		if prompt == "make it" {
			return "Bash", `{"command":"touch made","description":"Make a file"}`
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
	w.wait(`❯ thanks +queued, goes when this turn ends`)
	if _, err := os.Stat(filepath.Join(w.code, "made")); err == nil {
		t.Error("the command ran before the answer")
	}
	w.keys("Escape")
	w.wait(`^ A answer `)
	w.keys("A")
	w.wait(`May it run this\?`)
	w.wait(`touch made`)
	w.keys("o")
	w.gone(`May it run this`)
	w.wait(`I heard: make it`)
	w.wait(`I heard: thanks`)
	w.wait(`● idle`)
	if _, err := os.Stat(filepath.Join(w.code, "made")); err != nil {
		t.Error(err)
	}
	w.keys("q")
	w.wait(` all projects · 1 session`)
	w.wait(`Live 1`)
	w.keys("r") // a driven session opens here, not in a second client
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
	w.keys("C-c")
	w.wait(`Ended the session ` + id)
	w.wait(`^code 0$`)
	if turns, _ := w.turns(w.transcript(id), id); len(turns) == 0 || !strings.Contains(turns[len(turns)-1].Text, "thanks") {
		t.Errorf("the transcript has\n%s", turnLines(turns))
	}
}
