//go:build unix

package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/tui/render"
)

// TestStoryRead: someone narrows the list, opens a conversation, jumps through it, finds a word, opens a command, and
// goes back to where they were.
func TestStoryRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 36, writeReal)
	rows := w.rows()
	k := w.known(rows)
	of := render.Count(len(rows))

	w.start("continuo")
	w.wait(`all projects · ` + of + ` sessions`)
	w.wait(`^ +1 of ` + of + `$`) // every row has its exact figures
	w.keys("/")
	w.text(strings.ToLower(k.filter))
	narrowed := w.match(`^  / ` + strings.ToLower(k.filter) + ` +(\d+) of ` + of)
	if narrowed[1] == of {
		t.Errorf("%q narrows nothing", k.filter)
	}
	chosen := `^▌ \S ` + regexp.QuoteMeta(k.filter)
	w.wait(chosen)
	w.keys("Enter")
	w.wait(`q quit`)
	w.keys("Enter")
	w.wait(`^ ` + regexp.QuoteMeta(k.filter) + `.* messages`)
	w.wait(` message \d+ of ` + render.Count(k.Messages) + ` `)

	w.jump(k)
	w.find(k)
	w.fold(k)

	w.keys("q")
	w.wait(`^ continuo +Sessions`)
	w.wait(chosen)
	w.keys("Escape") // the filter
	w.wait(`all projects · ` + of + ` sessions`)
	w.wait(chosen)
	w.keys("q")
	w.ended(0)
}

// jump goes from prompt to prompt.
func (w *world) jump(k known) {
	w.t.Helper()
	at := func(prompt string) string { return `^▌ ❯ ` + regexp.QuoteMeta(prompt) }
	w.keys("g")
	w.wait(at(k.first))
	w.keys("}")
	w.wait(at(k.second))
	w.keys("{")
	w.wait(at(k.first))
	w.keys("{")
	w.wait(`^ No prompt before this one\.`)
}

// find looks for a word.
func (w *world) find(k known) {
	w.t.Helper()
	w.keys("/")
	w.text(k.word)
	w.wait(`^  / ` + k.word + `$`)
	w.keys("Enter")
	const place = ` place (\d+) of (\d+)   `
	here := `^▌.*(?i:` + k.word + `)`
	found := w.match(`^ /` + k.word + `  ` + place)
	if found[1] != "1" || found[2] < "2" {
		w.t.Errorf("%s is at place %s of %s, from the first prompt", k.word, found[1], found[2])
	}
	w.wait(here)
	w.keys("n")
	w.wait(` place 2 of ` + found[2] + ` `)
	w.wait(here)
	w.keys("N")
	w.wait(` place 1 of ` + found[2] + ` `)
	w.wait(here)
	w.keys("Escape")
	w.gone(place)
}

// fold opens a command and shuts it again.
func (w *world) fold(k known) {
	w.t.Helper()
	w.keys("/")
	w.text(k.command)
	w.keys("Enter")
	w.wait(` place 1 of 1 `)
	call := ` Bash +` + regexp.QuoteMeta(k.command)
	w.wait(`^▌ +▸` + call)
	w.keys("Escape")
	w.gone(` place 1 of 1 `)
	w.keys("z")
	w.wait(`^▌ +▾` + call)
	w.keys("z")
	w.wait(`^▌ +▸` + call)
}
