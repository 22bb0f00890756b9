package backup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func (s store) rename(from, to string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.memory(to)), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.memory(from), s.memory(to)); err != nil {
		s.t.Fatal(err)
	}
}

func (s store) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.memory(name)); err != nil {
		s.t.Fatal(err)
	}
}

// TestUndoFromAnywhere: a discard or its undo is killed at each step.
func TestUndoFromAnywhere(t *testing.T) {
	t.Parallel()
	const entry = "trash/20261121_110213Z-discard/"
	for _, c := range []struct {
		name       string
		kill       func(s store, before map[string]string)
		unfinished bool
	}{
		{"whole", func(store, map[string]string) {}, false},
		{"before anything moved", func(s store, before map[string]string) {
			s.rename(entry+"raw/a.jsonl", "raw/a.jsonl")
			s.rename(entry+"sessions/raw/b.jsonl", "sessions/raw/b.jsonl")
			s.remove(entry + "raw")
			s.remove(entry + "sessions")
			s.mark(".pending-backup", before[".pending-backup"])
			s.mark(".pending-backup-exit", before[".pending-backup-exit"])
		}, true},
		{"one moved", func(s store, before map[string]string) {
			s.rename(entry+"sessions/raw/b.jsonl", "sessions/raw/b.jsonl")
			s.mark(".pending-backup", before[".pending-backup"])
			s.mark(".pending-backup-exit", before[".pending-backup-exit"])
		}, true},
		{"markers are there", func(s store, before map[string]string) {
			s.mark(".pending-backup", before[".pending-backup"])
			s.mark(".pending-backup-exit", before[".pending-backup-exit"])
		}, false},
		{"one marker is there", func(s store, before map[string]string) {
			s.mark(".pending-backup-exit", before[".pending-backup-exit"])
		}, false},
		{"going back, both names", func(s store, _ map[string]string) {
			if err := os.Link(s.memory(entry+"raw/a.jsonl"), s.memory("raw/a.jsonl")); err != nil {
				s.t.Skip("no links here")
			}
		}, false},
		{"going back, one is back", func(s store, _ map[string]string) {
			s.rename(entry+"raw/a.jsonl", "raw/a.jsonl")
		}, true},
		{"going back, all are, the directories gone", func(s store, before map[string]string) {
			s.rename(entry+"raw/a.jsonl", "raw/a.jsonl")
			s.rename(entry+"sessions/raw/b.jsonl", "sessions/raw/b.jsonl")
			s.mark(".pending-backup", before[".pending-backup"])
			s.mark(".pending-backup-exit", before[".pending-backup-exit"])
			s.remove(entry + "raw")
			s.remove(entry + "sessions")
		}, true},
		{"the directory of backups is gone", func(s store, _ map[string]string) {
			s.remove("sessions")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("sessions/raw/b.jsonl", idTwo, "b")
			s.mark(".pending-backup", a+"\n")
			s.mark(".pending-backup-exit", b)
			before := s.tree()
			d := s.discard(s.plan())
			c.kill(s, before)
			entries, err := s.m.Trash().Entries(t.Context())
			if err != nil || len(entries) != 1 || entries[0].Unfinished != c.unfinished {
				t.Errorf("entries %+v, %v", entries, err)
			}
			killed := s.tree()
			plan, _, err := s.m.Trash().PutBack(t.Context(), d.ID)
			if err != nil || len(plan.Moves) != 2 || len(plan.Markers) != 2 || len(plan.Gone) != 0 {
				t.Errorf("plan %+v, %v", plan, err)
			}
			same(t, "after planning", s.tree(), killed)
			s.undo(d.ID)
			same(t, "after undoing", s.tree(), before)
			if got := s.ids(); len(got) != 0 {
				t.Errorf("entries %q", got)
			}
		})
	}
}

func TestUndoTaken(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idTwo, "b")
	d := s.discard(s.plan(a, b))
	s.backup("raw/b.jsonl", idTwo, "another")
	before := s.tree()
	_, err := s.m.Undo(t.Context(), d.ID)
	taken, ok := errors.AsType[*TakenError](err)
	if !ok || !slices.Equal(taken.Paths, []string{b}) || !strings.Contains(err.Error(), b) {
		t.Errorf("error %v", err)
	}
	same(t, "afterwards", s.tree(), before)
	s.remove("raw/b.jsonl")
	s.undo(d.ID)
	if got := s.tree(); got["raw/a.jsonl"] == "" || got["raw/b.jsonl"] == "" {
		t.Errorf("left %q", got)
	}
}

// TestUndoMarkerTaken: a new marker has the name of the removed one.
func TestUndoMarkerTaken(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b, c := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idTwo, "b"), s.backup("raw/c.jsonl", idTwo, "c")
	s.mark(".pending-backup", a+"\n")
	s.mark(".pending-backup-compact-2", b)
	s.mark(".pending-backup-exit", s.memory("raw/gone.jsonl"))
	d := s.discard(s.plan())
	s.mark(".pending-backup", c)
	s.mark(".pending-backup-exit", c)
	s.mark(".pending-backup-exit-2", c)
	s.mkdir(".claude/memory/.pending-backup-compact-2")
	u := s.undo(d.ID)
	var names []string
	for _, k := range u.Markers {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{".pending-backup-compact-3", ".pending-backup-exit-3"}) {
		t.Errorf("markers %q", names)
	}
	got := s.tree()
	for name, want := range map[string]string{
		".pending-backup": c, ".pending-backup-exit": c, ".pending-backup-exit-2": c,
		".pending-backup-exit-3": a + "\n", ".pending-backup-compact-3": b,
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	pending := 0
	for _, b := range s.find().Backups {
		if b.Pending {
			pending++
		}
	}
	if pending != 3 {
		t.Errorf("%d are pending", pending)
	}
}

// TestUndoGone: some files are deleted from the trash before the undo.
func TestUndoGone(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idTwo, "b")
	d := s.discard(s.plan(a, b))
	s.remove("trash/" + d.ID + "/raw/b.jsonl")
	u := s.undo("")
	if len(u.Moves) != 1 || u.Moves[0].Path != a || len(u.Gone) != 1 || u.Gone[0].Path != b {
		t.Errorf("undone %+v", u)
	}
	if got := s.ids(); len(got) != 0 {
		t.Errorf("entries %q", got)
	}
}

func TestUndoOrder(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idTwo, "b")
	before := s.tree()
	later, err := s.m.Discard(t.Context(), s.plan(a), at(t, "2026-11-22T00:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	sooner := s.discard(s.plan(b))
	if u := s.undo(""); u.Entry.ID != later.ID {
		t.Errorf("first %q", u.Entry.ID)
	}
	if u := s.undo(""); u.Entry.ID != sooner.ID {
		t.Errorf("second %q", u.Entry.ID)
	}
	same(t, "afterwards", s.tree(), before)
}

// TestUndoOrderInOneSecond: entries of one second are sorted by number, not by kind.
func TestUndoOrderInOneSecond(t *testing.T) {
	t.Parallel()
	w := newStore(t)
	w.backup("raw/20260601_000000Z_exit.jsonl", idTwo, "newest")
	a := w.backup("raw/20260501_000000Z_exit.jsonl", idOne, "a")
	w.backup("raw/20260401_000000Z_exit.jsonl", idTwo, "b")
	before := w.tree()
	w.discard(w.plan(a))
	plan, err := w.m.PlanPrune(t.Context(), PruneRule{Before: at(t, trashNow), Only: true})
	if err != nil {
		t.Fatal(err)
	}
	w.discard(plan)
	w.discard(w.plan(w.memory("raw/20260601_000000Z_exit.jsonl")))
	want := []string{"20261121_110213Z-discard-3", "20261121_110213Z-prune-2", "20261121_110213Z-discard"}
	if got := w.ids(); !slices.Equal(got, want) {
		t.Errorf("entries %q", got)
	}
	for _, id := range want {
		if u, err := w.m.Undo(t.Context(), ""); err != nil || u.Entry.ID != id {
			t.Errorf("undone %q, %v", u.Entry.ID, err)
		}
	}
	same(t, "afterwards", w.tree(), before)
}

// TestUndoLeavesOtherFiles: another program has put a file into the entry. The file and the entry stay.
func TestUndoLeavesOtherFiles(t *testing.T) {
	t.Parallel()
	for _, stray := range []string{"mine.txt", "raw/mine.txt"} {
		s := newStore(t)
		a := s.backup("raw/a.jsonl", idOne, "a")
		s.mark(".pending-backup", a)
		before := s.tree()
		d := s.discard(s.plan())
		s.write(".claude/memory/trash/"+d.ID+"/"+stray, "mine")
		for range 2 {
			if _, err := s.m.Undo(t.Context(), d.ID); err != nil {
				t.Errorf("%s: %v", stray, err)
			}
		}
		got := s.tree()
		if got["trash/"+d.ID+"/"+stray] != "mine" || !slices.Equal(s.ids(), []string{d.ID}) {
			t.Errorf("%s: left %q, entries %q", stray, got, s.ids())
		}
		s.remove("trash/" + d.ID + "/" + stray)
		s.undo(d.ID)
		same(t, stray, s.tree(), before)
	}
}
