//go:build unix

package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/internal/words"
)

func TestStoryRead(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(*testing.T, string){"demo": writeDemo, "real": writeReal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "demo" {
				drilltest.SkipUnderRace(t)
			}
			w := newWorld(t, 120, 36, fill)
			rows := w.rows()
			k, ok := w.known(rows)
			if !ok && name == "demo" {
				t.Fatal("no session fits this test")
			} else if !ok {
				t.Skip("no session fits this test")
			}
			w.read(k, words.Count(len(rows)))
		})
	}
}

func (w *world) read(k known, of string) {
	w.t.Helper()
	w.start("continuo")
	w.wait(`all projects · ` + of + ` sessions`)
	w.wait(` 1 of ` + of + `(?:$|  )`) // all rows have exact counts
	w.keys("/")
	w.text(strings.ToLower(k.filter))
	chosen := `^▌ \S .*` + regexp.QuoteMeta(k.filter)
	w.wait(chosen)
	w.keys("Enter")
	w.wait(`^ ` + regexp.QuoteMeta(k.filter) + `.* messages`)
	w.wait(` message \d+ of ` + words.Count(k.Messages) + ` `)

	w.jump(k)
	w.find(k)
	w.fold(k)

	w.keys("q")
	w.wait(chosen)
	w.keys("Escape")
	w.wait(`all projects · ` + of + ` sessions`)
	w.keys("q")
	w.ended(0)
}

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

func (w *world) find(k known) {
	w.t.Helper()
	w.keys("/")
	w.text(k.word)
	w.wait(`^ /` + k.word + `$`)
	w.keys("Enter")
	here := `^▌.*(?i:` + k.word + `)`
	status := regexp.MustCompile(`(?m)^ /` + k.word + `   (match (\d+) of (\d+)(?:, line \d+ of \d+)?)   `)
	found := w.match(status.String())
	if found[2] != "1" || found[3] == "1" {
		w.t.Errorf("from the start %s is %s", k.word, found[1])
	}
	w.wait(here)
	w.keys("n")
	w.until("gone on from "+found[1], func(now string) bool {
		next := status.FindStringSubmatch(now)
		return next != nil && next[1] != found[1] && next[3] == found[3]
	})
	w.wait(here)
	w.keys("N")
	w.wait(` ` + found[1] + ` `)
	w.wait(here)
	w.keys("Escape")
	w.gone(`   match \d`)
}

func (w *world) fold(k known) {
	w.t.Helper()
	w.keys("/")
	w.text(k.command)
	w.keys("Enter")
	w.wait(`   match 1 of 1 `)
	call := ` Bash +` + regexp.QuoteMeta(k.command)
	w.wait(`^▌ +▸` + call)
	w.keys("Escape")
	w.gone(`   match \d`)
	w.keys("z")
	w.wait(`^▌ +▾` + call)
	w.keys("z")
	w.wait(`^▌ +▸` + call)
}
