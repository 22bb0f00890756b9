package hooks

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger/task"
)

// TestTaskLine: a long text becomes one line of 300 characters, and keeps its end.
func TestTaskLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		slug, resume string
		state        task.State
		more         int
		want         string
	}{
		"active":    {"auth", "", task.Active, 0, "TASK_OPEN: auth is active at G4. /task-status shows it."},
		"suspended": {"auth", "Run\nmake", task.Suspended, 2, "TASK_OPEN: auth is suspended at G4. Its last checkpoint says: \"Run make\" /task-start continues it. 2 more: continuo task list."},
		"long note": {"auth", strings.Repeat("ä ", 400), task.Suspended, 0, ""},
		"long name": {strings.Repeat("a", 400), "note", task.Active, 1, ""},
	} {
		k := &task.Task{
			Slug: tt.slug, Sessions: []*task.Session{{State: tt.state, Gate: "G4"}},
			Checkpoints: []*task.Checkpoint{{Resume: tt.resume}},
		}
		got := taskLine(k, tt.more)
		if tt.want != "" && got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
		n, end := utf8.RuneCountInString(got), map[task.State]string{task.Active: "shows it.", task.Suspended: "continues it."}[tt.state]
		if n > 300 || tt.want == "" && n != 300 || strings.Contains(got, "\n") || !strings.Contains(got, end) {
			t.Errorf("%s: %d characters: %q", name, n, got)
		}
	}
}
