package catalog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestSnapshotRow checks the row of a session-protocol.json and its text in Open.
func TestSnapshotRow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := New(Options{})
	if r := c.snapshotRow(t.Context(), dir); r != nil {
		t.Errorf("no file: %+v", r)
	}
	const commit = "abc123f5d2e8a1b4c6e9f3a7000000000000000a"
	write("session-protocol.json", `{"metadata":{"updated":"2025-11-26T14:00:00Z","git_branch":"main","git_commit":"abc123f5d2e8"},"tasks":[`+
		`{"id":"TASK_001","title":"Docs","status":"completed"},{"id":"TASK_002","title":"Fix it","status":"pending","context":"See a.go:3"}]}`)
	var ahead, behind int
	known := false
	c.opts.Divergence = func(_ context.Context, at, commit string) (int, int, bool) {
		if at != dir || commit != "abc123f5d2e8" {
			t.Errorf("asked for %s in %s", commit, at)
		}
		return ahead, behind, known
	}
	for _, tt := range []struct{ name, text, want string }{
		{"README", "no repository\n", ""},
		{".git/HEAD", "ref: refs/heads/main\n", ""},
		{".git/packed-refs", "# pack-refs\n" + commit + " refs/heads/main\n", ""},
		{".git/HEAD", "ref: refs/heads/other\n", ""},
		{".git/refs/heads/other", commit + "\n", gitChanged},
		{".git/HEAD", "ref: refs/heads/main\n", ""},
		{".git/refs/heads/main", strings.Repeat("1", 40) + "\n", gitChanged},
		{".git/HEAD", commit + "\n", gitChanged}, // detached
		{".git/HEAD", "ref: refs/heads/main\n", gitChanged},
	} {
		write(tt.name, tt.text)
		if r := c.snapshotRow(t.Context(), dir); r.Status != tt.want {
			t.Errorf("%s is %q: status %q, not %q", tt.name, tt.text, r.Status, tt.want)
		}
	}
	known = true
	for _, tt := range []struct {
		ahead, behind int
		want          string
	}{{2, 0, "2 ahead"}, {0, 1, "1 behind"}, {2, 1, "diverged 2/1"}} {
		ahead, behind = tt.ahead, tt.behind
		if r := c.snapshotRow(t.Context(), dir); r.Status != tt.want {
			t.Errorf("status %q, not %q", r.Status, tt.want)
		}
	}
	r := c.snapshotRow(t.Context(), dir)
	if !r.IsSnapshot() || r.IsSessionDocument() || r.Name != "Snapshot: Fix it" || r.Branch != "main" || sessions.OpenTodos(r.Todos) != 1 ||
		!r.When().Equal(time.Date(2025, 11, 26, 14, 0, 0, 0, time.UTC)) || r.Prompt != "1 pend, 1 done" || r.Workdir != dir {
		t.Errorf("%+v", r)
	}
	d, err := c.Open(t.Context(), *r)
	if err != nil {
		t.Fatal(err)
	}
	if text := d.state().text; !strings.HasPrefix(text, "# Snapshot\n\n- 1 pend, 1 done\n- Git: main @ abc123f (diverged: 2 commits ahead, 1 commit behind)\n- Next: TASK_002 - Fix it\n\n## Pending\n\n- [ ] TASK_002 Fix it\n  - See a.go:3\n\n## Completed\n\n- [x] TASK_001 Docs\n") {
		t.Error(text)
	}
	write("session-protocol.json", "{")
	if r = c.snapshotRow(t.Context(), dir); r.State != sessions.StateUnreadable || r.Reason != "Cannot load: invalid JSON" {
		t.Errorf("%+v", r)
	}
	if d, err = c.Open(t.Context(), *r); err != nil || d.state().text != "{" {
		t.Errorf("%v", err)
	}
}
