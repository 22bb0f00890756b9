package backup

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRenamed: markers have the project's old path. They name the backup with the same file name in the renamed
// project.
func TestRenamed(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	here := s.backup("raw/20260101_000000Z_exit.jsonl", idOne, "a")
	other := filepath.Join(t.TempDir(), "other", ".claude", "memory", "raw")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "20260101_000000Z_exit.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := "/srv/no such place/teahouse/.claude/memory/raw/"
	s.mark(".pending-backup", old+"20260101_000000Z_exit.jsonl\n")
	s.mark(".pending-backup-exit", old+"20260102_000000Z_exit.jsonl\n")
	s.mark(".pending-backup-compact", filepath.Join(other, "20260101_000000Z_exit.jsonl")+"\n")
	markers, err := s.m.Pending(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, m := range markers {
		states[filepath.Base(m.Path)] = string(m.State)
		if m.State == MarkerValid && m.Target != here {
			t.Errorf("the marker means %s, want %s", m.Target, here)
		}
	}
	same(t, "states", states, map[string]string{
		".pending-backup": "valid", ".pending-backup-exit": "stale", ".pending-backup-compact": "outside",
	})

	plan := s.planKeep(here)
	if len(plan.Markers) != 1 || plan.Markers[0].Name != ".pending-backup" {
		t.Fatalf("keep removes %+v", plan.Markers)
	}
	if done, err := s.keep(plan); err != nil || len(done.Ops) != 1 {
		t.Errorf("keep: %+v, %v", done, err)
	}
	if gone, err := s.m.CleanMarkers(t.Context()); err != nil || len(gone) != 1 || filepath.Base(gone[0].Path) != ".pending-backup-exit" {
		t.Errorf("cleaned %+v, %v", gone, err)
	}
}
