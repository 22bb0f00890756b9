//go:build unix

package cli

import (
	"strings"
	"testing"
)

// TestE2ETasks checks that the real client sends the line of the task hook, the part of CLAUDE.md and the text of all
// four slash commands to the model.
func TestE2ETasks(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --project --tasks --yes")
	sent := func(texts ...string) {
		t.Helper()
		all := w.api.requests()
		for _, text := range texts {
			if last := all[len(all)-1].Whole; !strings.Contains(last, text) {
				t.Errorf("the model didn't get %q:\n%s", text, last[max(0, len(last)-4000):])
			}
		}
	}
	w.does(0, "continuo task start --task knots --yes")
	w.does(0, "continuo task suspend --yes")
	w.begin("which knot is next")
	sent("TASK_OPEN: knots is suspended at G0. /task-start continues it.", "A task is work that takes several sessions.")
	for command, text := range map[string]string{
		"/task-start":      "Start a session of a task, or a new task.",
		"/task-checkpoint": "Save the state of the work as a checkpoint.",
		"/task-end":        "End the session of the task.",
		"/task-status":     "Show where the work is.",
	} {
		n := len(w.api.requests())
		w.text(command)
		w.wait(`^❯[ \x{a0}]` + command)
		w.keys("Enter")
		w.eventually(command+" is sent", func() bool { return len(w.api.requests()) > n })
		w.ready("")
		sent(text)
	}
	w.end()
}
