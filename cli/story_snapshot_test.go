//go:build unix

package cli

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// TestStorySnapshot finds a snapshot among the documents, reads it, and loads it in a new session.
func TestStorySnapshot(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			d := newResumeWorld(t, size[0], size[1], func(home string) {
				tell(t, home, harbour(), past{n: 2, name: "Count the lamps", folder: "harbour"})
				dir := harbour().workdir(home)
				git(t, dir, "init", "-q", "-b", "main")
				var saved string
				for _, message := range []string{"bell", "lamp", "mast"} {
					git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
					if saved == "" {
						saved = git(t, dir, "rev-parse", "HEAD")
					}
				}
				putFile(t, filepath.Join(dir, "session-protocol.json"), `{"metadata":{"version":"2.0","created":"2026-11-19T10:00:00Z","updated":"2026-11-20T10:00:00Z","git_branch":"main","git_commit":"`+saved[:12]+`"},"tasks":[`+
					`{"id":"TASK_001","title":"Tune the bell","status":"completed"},{"id":"TASK_002","title":"Light the lamps","status":"pending","priority":"P1","context":"See src/lamp.go:7"}]}`)
			})
			folder := filepath.Join(d.code, "harbour")
			d.start("continuo")
			d.wait(`Documents 1`)
			d.keys("BTab", "BTab")
			d.wait(`Snapshot: Light the lamps +2 ahead +1 `)
			d.keys("Enter")
			d.wait(`Git: main @ [0-9a-f]{7} \(2 commits ahead\)`)
			d.wait(`TASK_002 P1 Light the lamps`)
			d.keys("Escape")
			d.wait(`Snapshot: Light the lamps +2 ahead`)
			d.keys("r")
			d.wait(`/load-session-protocol is not installed in ~/code/harbour\. Run continuo init`)
			putFile(t, filepath.Join(folder, ".claude", "commands", "load-session-protocol.md"), "load")
			d.keys("r")
			d.back()
			d.ran(folder, "/load-session-protocol")
			d.keys("q")
			d.ended(out.ExitDone, everything(d.home)...)
		})
	}
}
