package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/tui"
)

// TestBrowserTimeline: a trajectory is read again only if it has changed.
func TestBrowserTimeline(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "code", "lamplight")
	dir := filepath.Join(project, "grimoires", "loa", "a2a", "trajectory")
	file := filepath.Join(dir, "implementing-tasks-"+now().Format(time.DateOnly)+".jsonl")
	record := `{"ts":"` + now().Add(-time.Hour).Format(time.RFC3339) + `","agent":"implementing-tasks","phase":"cite","claim":"The wick is 12"}` + "\n"
	putFile(t, filepath.Join(project, "grimoires", "loa", "NOTES.md"), "# Notes\n")
	putFile(t, file, record)
	d := resumeDeps(home)
	b := browse.Ledgers{Env: d.Env, O: d.Output, Logs: &browse.Timelines{}}
	look := func(ask tui.TimelineAsk) (n int, first *string) {
		t.Helper()
		l, err := b.Timeline(t.Context(), project, ask)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Entries) == 0 {
			return 0, nil
		}
		return len(l.Entries), &l.Entries[0].Raw
	}
	n, first := look(tui.TimelineAsk{})
	if again, same := look(tui.TimelineAsk{}); n != 1 || again != 1 || first != same {
		t.Errorf("%d and %d entries, read again: %v", n, again, first != same)
	}
	if n, _ := look(tui.TimelineAsk{Phase: "session_handoff"}); n != 0 {
		t.Errorf("%d handoffs", n)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat(record, 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, _ := look(tui.TimelineAsk{}); n != 2 {
		t.Errorf("%d entries of a file that has grown", n)
	}
	if n, _ := look(tui.TimelineAsk{Phase: "session_handoff", Or: "cite"}); n != 2 {
		t.Errorf("%d records of either phase", n)
	}
	for i := range 2 * browse.TimelinesKept {
		look(tui.TimelineAsk{Agent: strings.Repeat("x", i+1)})
	}
	if len(b.Logs.Kept) != browse.TimelinesKept {
		t.Errorf("%d answers are kept", len(b.Logs.Kept))
	}
	bare := filepath.Join(home, "code", "bare")
	putFile(t, filepath.Join(bare, "x.go"), "package x\n")
	for i, want := range []bool{true, false} { // without a ledger, the result isn't cached
		if l, err := b.Timeline(t.Context(), bare, tui.TimelineAsk{}); err != nil || l.Bare != want {
			t.Errorf("%d: without a ledger it is %v, %v", i, l.Bare, err)
		}
		putFile(t, filepath.Join(bare, "grimoires", "loa", "NOTES.md"), "# Notes\n")
	}
	b.Logs = nil
	if n, _ := look(tui.TimelineAsk{Phase: "cite"}); n != 2 {
		t.Errorf("%d entries without a store", n)
	}
}

// TestBrowserTruth: the Ledger tab gets the disagreements. A trajectory is read again only if it has changed.
func TestBrowserTruth(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "code", "lamplight")
	file := filepath.Join(project, "grimoires", "loa", "a2a", "trajectory", "implementing-tasks-"+now().Format(time.DateOnly)+".jsonl")
	putFile(t, filepath.Join(project, "grimoires", "loa", "NOTES.md"), "# Notes\n\n## Session Continuity\n\n- **Last Checkpoint**: "+now().Add(-48*time.Hour).Format(time.RFC3339)+"\n")
	handoff := func(ago time.Duration) string {
		return `{"ts":"` + now().Add(-ago).Format(time.RFC3339) + `","phase":"session_handoff"}` + "\n"
	}
	putFile(t, file, handoff(time.Hour))
	logs := &browse.Timelines{}
	b := browse.Ledgers{Env: resumeDeps(home).Env, O: resumeDeps(home).Output, Logs: logs}
	look := func() int {
		t.Helper()
		l, err := b.Ledger(t.Context(), project)
		if err != nil {
			t.Fatal(err)
		}
		return len(l.Truth.List)
	}
	if n := look(); n != 1 {
		t.Fatalf("%d disagreements", n)
	}
	logs.Handoffs.At = time.Time{} // marks the cached value
	if n := look(); n != 0 {
		t.Error("an unchanged trajectory is read again")
	}
	if err := os.WriteFile(file, []byte(handoff(time.Hour)+handoff(time.Minute)), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := look(); n != 1 {
		t.Errorf("%d disagreements with a trajectory that has grown", n)
	}
	b.Logs = nil
	if n := look(); n != 1 {
		t.Errorf("%d disagreements without a store", n)
	}
}
