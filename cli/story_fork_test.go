//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryForkAt forks a conversation at a message, from the reader and from the command line.
func TestStoryForkAt(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			if size[0] != 120 {
				drilltest.SkipUnderRace(t)
			}
			k := harbour()
			k.turns = 5
			d := newResumeWorld(t, size[0], size[1], func(home string) { tell(t, home, k) })
			path, folder := k.path(d.home), filepath.Join(d.code, "harbour")
			was := readFile(t, path)
			d.browse("Tune", 1)
			d.keys("Enter")
			d.wait(` message 10 of 10 `)
			d.keys("M")
			d.wait(`^    Claude still knows all 10 messages`)
			d.keys("M")
			d.gone(`Claude still knows`)
			d.keys("{", "{")
			d.wait(` message 7 of 10 `)
			d.keys("f")
			d.panel("h Fork here up to message 7 of 10", "f Fork at the end")
			d.none()
			d.keys("h")
			d.panel("The fork has 7 of 10 messages.", "Its last prompt is “Prompt 4 of the talk.”.", "continuo resume 5e550000 --fork --at")
			d.none()
			d.keys("f")
			d.started()
			id := d.forked(path, folder)
			d.keys("Enter")
			d.behind(`Prompt 4 of the talk`)
			if got := readFile(t, path); got != was {
				t.Error("the session was changed")
			}
			checkFork(t, filepath.Join(filepath.Dir(path), id+".jsonl"), id, k, 7)
			d.keys("q")
			d.wait(`Tune the harbour bell \(fork\)`)
			d.keys("u")
			d.panel("Undo")
			d.keys("Enter")
			d.gone(`Tune the harbour bell \(fork\)`)
			d.keys("q")
			d.ended(out.ExitDone, everything(filepath.Join(d.home, "state"))...)

			d.start("continuo resume --fork --at 2 --accept " + k.id())
			d.started()
			id = d.forked(path, folder)
			d.keys("Enter")
			checkFork(t, filepath.Join(filepath.Dir(path), id+".jsonl"), id, k, 2)
			d.wait(`^code 0`)
			d.start("continuo resume --fork --at nothing " + k.id())
			d.wait(`^✗ This session has no message nothing\. Use the ID of a message or its number\.`)
			d.wait(`^code 3`)
		})
	}
}

// forked checks the start of the client, and returns the ID of the new session.
func (d *resumeWorld) forked(path, folder string) string {
	d.t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl"))
	if err != nil || len(files) != 2 {
		d.t.Fatalf("the sessions are %v, %v", files, err)
	}
	id := strings.TrimSuffix(filepath.Base(files[slices.IndexFunc(files, func(f string) bool { return f != path })]), ".jsonl")
	d.ran(folder, "--resume", id)
	return id
}

// checkFork checks that a fork has exactly the first n messages of a session.
func checkFork(t *testing.T, path, id string, k past, n int) {
	t.Helper()
	messages := 0
	for line := range strings.Lines(readFile(t, path)) {
		var r struct {
			Type, SessionID string
			ForkedFrom      struct{ SessionID string }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.SessionID != id {
			t.Errorf("%v in %s", err, line)
		}
		if r.Type == "user" || r.Type == "assistant" {
			messages++
			if r.ForkedFrom.SessionID != k.id() {
				t.Errorf("the origin is missing in %s", line)
			}
		}
	}
	if messages != n {
		t.Errorf("the fork has %d messages, not %d", messages, n)
	}
}
