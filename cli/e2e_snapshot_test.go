//go:build unix

package cli

import (
	"strings"
	"testing"
)

// TestE2ESnapshot checks the requests of the real client to the model.
func TestE2ESnapshot(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --project --snapshot --yes")
	sent := func(texts ...string) {
		t.Helper()
		all := w.api.requests()
		for _, text := range texts {
			if last := all[len(all)-1].Whole; !strings.Contains(last, text) {
				t.Errorf("the model didn't get %q:\n%s", text, last[max(0, len(last)-4000):])
			}
		}
	}
	w.begin("how is a bowline tied")
	all := w.api.requests()
	if last := all[len(all)-1].Whole; strings.Contains(last, "load-session-protocol loads it") {
		t.Errorf("there is no snapshot, but the model got:\n%s", last)
	}
	w.end()

	w.does(0, "continuo snapshot save --task 'Tie a sheet bend' --yes")
	w.begin("which knot is next")
	sent("SessionStart:startup hook", `"severity":"info"`, "Next: TASK_001 - Tie a sheet bend", "offer /load-session-protocol")
	for command, text := range map[string]string{
		"/save-session-protocol": "Save the tasks of this session in `session-protocol.json`",
		"/load-session-protocol": "Load the tasks that an earlier session has saved",
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
	w.does(0, "continuo uninstall --yes")
	for path := range w.files() {
		if strings.Contains(path, "session-protocol.md") || strings.Contains(path, "on-snapshot") {
			t.Errorf("%s is still there", path)
		}
	}
}
