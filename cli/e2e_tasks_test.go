//go:build unix

package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/task"
)

// TestE2ETasks checks the requests of the real client to the model.
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

// TestE2ETaskKilled: a killed client leaves an active session. reap suspends it.
func TestE2ETaskKilled(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --project --tasks --yes")
	// The mock has no safety check, so the client would ask before each command.
	w.write(filepath.Join(w.code, ".claude", "settings.local.json"), `{"permissions":{"allow":["Bash(continuo task:*)"]}}`)
	commands := map[string]string{
		"Start a session of a task":   "continuo task start --task knots --goal 'Tie the bowline' --yes",
		"Save the state of the work":  `continuo task checkpoint --task knots --event gate_transition --gate G1 --from '{"summary":"Two knots hold","next_steps":["The bowline"]}' --yes`,
		"Show where the work is":      "continuo task list; continuo task timeline --task knots; continuo task verify --task knots",
		"End the session of the task": "continuo task end --task knots --outcome partial --yes",
	}
	w.api.call = func(prompt string) (name, input string) {
		for says, command := range commands {
			if strings.Contains(prompt, says) {
				text, err := json.Marshal(map[string]string{"command": command, "description": "Run continuo"})
				if err != nil {
					t.Error(err)
				}
				return "Bash", string(text)
			}
		}
		return "", ""
	}
	typed := func(command string) {
		t.Helper()
		n := len(w.api.requests())
		w.text(command)
		w.wait(`^❯[ \x{a0}]` + command)
		w.keys("Enter")
		w.eventually(command+" has run, and the model has the result", func() bool {
			all := w.api.requests()
			return len(all) > n && all[len(all)-1].Done
		})
		w.ready("")
	}
	read := func() *task.Task {
		t.Helper()
		one, err := task.Read(t.Context(), w.code, "knots")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range one.Verify() {
			t.Errorf("%s: %s", f.File, f.What)
		}
		return one
	}
	w.window(w.code) // the client in this window is killed
	id := w.begin("which knot is next")
	for _, command := range []string{"/task-start", "/task-checkpoint", "/task-status"} {
		typed(command)
	}
	if s := read().Newest(); s == nil || s.State != task.Active || s.ClaudeID != id || s.Count != 1 {
		t.Fatalf("the session is %+v", s)
	}
	pids := w.writers(id)
	if len(pids) != 1 {
		t.Fatalf("written to by %v", pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.wait(`Killed`)
	w.tmux("kill-window") // the killed client left the terminal in raw mode
	w.wait(`^\$ *$`)
	if s := read().Newest(); s.State != task.Active {
		t.Errorf("the killed session is %s", s.State)
	}
	w.does(0, "cd '"+w.code+"'; TEST_NOW="+time.Now().Add(10*time.Minute).UTC().Format(time.RFC3339)+" continuo task reap --yes")
	one := read()
	if s, last := one.Newest(), one.Last(); s.State != task.Suspended || last.Type != task.Interrupted || !last.CanResume || last.Gate != "G1" {
		t.Fatalf("the reaped session is %+v, its last checkpoint %+v", s, last)
	}
	next := w.begin("and now")
	typed("/task-start")
	if s := read().Newest(); s.ClaudeID != next || s.ResumedFrom != one.Last().ID || s.Parent != one.Newest().ID || s.Gate != "G1" {
		t.Errorf("the next session is %+v", s)
	}
	typed("/task-end")
	if one := read(); one.Newest().State != task.Complete || one.Last().Type != task.SessionEnd || one.Status.Status != task.InProgress {
		t.Errorf("the ended session is %+v", one.Newest())
	}
	w.end()
	w.does(0, "continuo task verify")
}
