//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// snapshotSave returns a command that saves a snapshot with one task.
func snapshotSave(t *testing.T, dir, title string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "continuo", "snapshot", "save", "--yes", "--task", title)
	cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "TEST_NOW=" + now().Format(time.RFC3339)}
	cmd.Dir = dir
	return cmd
}

// snapshotTasks returns the IDs of the tasks in a session-protocol.json, by title.
func snapshotTasks(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "session-protocol.json"))
	if os.IsNotExist(err) {
		return nil
	}
	var s struct{ Tasks []struct{ ID, Title string } }
	if err != nil || json.Unmarshal(text, &s) != nil {
		t.Fatalf("%v: %s", err, text)
	}
	all := map[string]string{}
	for _, task := range s.Tasks {
		all[task.Title] = task.ID
	}
	return all
}

// TestSnapshotsAtOnce: concurrent saves lose no task, and use no ID twice.
func TestSnapshotsAtOnce(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	const writers, saves = 2, 6
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range saves {
				if text, err := snapshotSave(t, dir, fmt.Sprintf("task %d of %d", n, w)).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, text)
				}
			}
		})
	}
	all.Wait()
	ids := map[string]bool{}
	for _, id := range snapshotTasks(t, dir) {
		ids[id] = true
	}
	if len(ids) != writers*saves {
		t.Errorf("%d IDs: %v", len(ids), snapshotTasks(t, dir))
	}
}

// TestSnapshotKilled: a killed save leaves the old or the new file.
func TestSnapshotKilled(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	dir := t.TempDir()
	had := 0
	for n := range 12 {
		cmd := snapshotSave(t, dir, fmt.Sprintf("task %d", n))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
		_ = cmd.Process.Kill() // fails if it has ended
		_ = cmd.Wait()
		has := len(snapshotTasks(t, dir))
		if has != had && has != had+1 {
			t.Fatalf("%d tasks, %d before", has, had)
		}
		had = has
	}
	if text, err := snapshotSave(t, dir, "last").CombinedOutput(); err != nil || snapshotTasks(t, dir)["last"] == "" {
		t.Errorf("%v: %s", err, text)
	}
}
