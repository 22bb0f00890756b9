package hook

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/backup"
)

func (w *world) stage(text string, at time.Time) backup.Staged {
	w.t.Helper()
	s, err := backup.NewStaged(text, at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(backup.StagedPath(w.project), string(s.Encode()))
	return s
}

// TestStartStaged: one start of any kind prints the staged text, after the lines of the spec.
func TestStartStaged(t *testing.T) {
	t.Parallel()
	const line = "STAGED_RECOVERY: Below is the recovery that the user staged at 2026-11-21T11:00:00Z for this session, from the project's ledger (about 6 tokens). It is shown only once.\n"
	text := "# Where\n- the crane é\n"
	for _, source := range []string{"startup", "resume", "clear", "compact", "fork"} {
		w := newWorld(t)
		w.stage(text, noon().Add(-time.Hour))
		r := w.handle(EventStart, `{"source":"`+source+`"}`)
		if r.Out != line+text || r.Run.Result != ResultTold || r.Run.Error != "" {
			t.Errorf("%s: %q, %+v", source, r.Out, r.Run)
		}
		w.absent(backup.StagedPath(w.project))
		if r := w.handle(EventStart, ""); r.Out != "" || r.Run.Result != ResultNothing || r.Run.Error != "" {
			t.Errorf("%s: the second time %q, %+v", source, r.Out, r.Run)
		}
	}

	w := markedWorld(t, []string{backupClear}, map[string]string{"": backupClear})
	w.stage(text, noon().Add(-time.Hour))
	want := fmt.Sprintf(msgOne, w.memory("raw", backupClear)) + msgNext + line + text
	if r := w.handle(EventStart, ""); r.Out != want {
		t.Errorf("with a pending backup: %q", r.Out)
	}
	// Other hooks ignore the staged text.
	w.stage(text, noon())
	w.handle(EventEnd, endClear)
	if _, err := os.Lstat(backup.StagedPath(w.project)); err != nil {
		t.Error(err)
	}
}

// TestStartStagedNot: an invalid staged text isn't printed, not even in the error.
func TestStartStagedNot(t *testing.T) {
	t.Parallel()
	for label, tt := range map[string]struct {
		at      time.Time
		damaged bool
		noted   string
		left    bool
	}{
		"old":         {noon().Add(-24*time.Hour - time.Second), false, "staged more than 24 hours ago", false},
		"ahead":       {noon().Add(5*time.Minute + time.Second), false, "staged in the future", true},
		"damaged":     {noon(), true, "damaged, or not written by continuo", true},
		"damaged old": {noon().Add(-48 * time.Hour), true, "damaged, or not written by continuo", false},
	} {
		w := newWorld(t)
		s := w.stage("secret", tt.at)
		if tt.damaged {
			w.write(backup.StagedPath(w.project), string(s.Encode())+"secret\n")
		}
		r := w.handle(EventStart, "")
		if r.Out != "" || !strings.Contains(r.Run.Error, tt.noted) || strings.Contains(r.Run.Error, "secret") {
			t.Errorf("%s: %q, %+v", label, r.Out, r.Run)
		}
		if _, err := os.Lstat(backup.StagedPath(w.project)); (err == nil) != tt.left {
			t.Errorf("%s: left: %v", label, err)
		}
	}
}

// TestStartStagedRoom: the staged text is complete. The list of backups is short enough for Claude Code's limit.
func TestStartStagedRoom(t *testing.T) {
	t.Parallel()
	markers := map[string]string{}
	var many []string
	for n := 2; n < 2+maxListed; n++ {
		name := fmt.Sprintf("20261120_1200%02dZ_%s.jsonl", n, strings.Repeat("x", 150))
		many, markers[fmt.Sprint("-exit-", n)] = append(many, name), name
	}
	w := markedWorld(t, many, markers)
	all := strings.Count(w.handle(EventStart, "").Out, "SESSION_BACKUP_PENDING")
	s := w.stage(strings.Repeat("line of 16 bytes\n", backup.MaxStaged)[:backup.MaxStaged-1], noon())
	r := w.handle(EventStart, "")
	some := strings.Count(r.Out, "SESSION_BACKUP_PENDING")
	if all != maxListed || some < 1 || some >= all || len(r.Out) > maxOutput || !strings.HasSuffix(r.Out, "\n"+s.Text) {
		t.Errorf("%d backups before, %d with a recovery, %d bytes", all, some, len(r.Out))
	}
}

// TestStartStagedLongPath: a very long path leaves no room, so the staged text comes first.
func TestStartStagedLongPath(t *testing.T) {
	t.Parallel()
	path := startText([]backup.Marker{{Target: "/" + strings.Repeat("long/", 800)}}, 0)
	staged := strings.Repeat("line of 16 byte\n", backup.MaxStaged/16)
	if got := inOrder(path, staged); got != staged+path {
		t.Errorf("it begins with %.60q", got)
	}
	if got := inOrder(path[:100], staged); got != path[:100]+staged {
		t.Errorf("it begins with %.60q", got)
	}
}

// TestStartStagedAtOnce: one of two concurrent starts prints the staged text.
func TestStartStagedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for round := range 20 {
		w.stage("the one", noon())
		var wg sync.WaitGroup
		var out [2]string
		for i := range out {
			wg.Go(func() { out[i] = w.handle(EventStart, "").Out })
		}
		wg.Wait()
		if n := strings.Count(out[0]+out[1], "the one\n"); n != 1 {
			t.Errorf("round %d: printed %d times", round, n)
		}
	}
}
