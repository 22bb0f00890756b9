package backup

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// store is a test project with its memory open for writing.
type store struct {
	project
	m *Memory
}

func newStore(t *testing.T) store {
	t.Helper()
	return storeIn(t, filepath.Join(t.TempDir(), "a project"))
}

func storeIn(t *testing.T, dir string) store {
	t.Helper()
	p := project{t, dir}
	p.mkdir(".claude/memory/raw")
	m, err := OpenMemory(dir)
	if err == nil {
		t.Cleanup(func() { _ = m.Close() })
		err = m.Guard()
	}
	if err != nil {
		t.Fatal(err)
	}
	return store{p, m}
}

const (
	trashNow = "2026-11-21T11:02:13Z"
	idOne    = "5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90"
	idTwo    = "7c41e9d2-93bb-4d0e-a3f4-0d8c6b1e2f90"
)

// backup makes a raw backup of a session.
func (s store) backup(name, id, text string) string {
	s.t.Helper()
	s.write(".claude/memory/"+name, `{"sessionId":"`+id+`","text":"`+text+`"}`+"\n")
	return s.memory(name)
}

func (s store) mark(name, text string) {
	s.t.Helper()
	s.write(".claude/memory/"+name, text)
}

// tree returns the contents of the memory's files, without the lock. Backups also have their time.
func (s store) tree() map[string]string { return tree(s.t, s.memory("")) }

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == lockName {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			files[filepath.ToSlash(rel)] = "-> " + target
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, backupSuffix) {
			fi, err := os.Stat(path)
			if err != nil {
				return err
			}
			text = append(text, fi.ModTime().UTC().Format(time.RFC3339Nano)...)
		}
		files[filepath.ToSlash(rel)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if text, ok := got[name]; !ok {
			t.Errorf("%s: %s is gone", what, name)
		} else if text != want[name] {
			t.Errorf("%s: %s has %q, want %q", what, name, text, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}

func (s store) plan(paths ...string) DiscardPlan {
	s.t.Helper()
	plan, err := s.m.PlanDiscard(s.t.Context(), paths)
	if err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func (s store) discard(plan DiscardPlan) TrashEntry {
	s.t.Helper()
	d, err := s.m.Discard(s.t.Context(), plan, at(s.t, trashNow))
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s store) undo(id string) Undone {
	s.t.Helper()
	u, err := s.m.Undo(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

func (s store) emptyTrash() (Emptied, error) {
	s.t.Helper()
	plan, problem := s.m.Trash().PlanEmpty(s.t.Context())
	e, err := s.m.EmptyTrash(s.t.Context(), plan)
	return e, errors.Join(problem, err)
}

func (s store) ids() []string {
	s.t.Helper()
	entries, err := s.m.Trash().Entries(s.t.Context())
	if err != nil {
		s.t.Error(err)
	}
	ids := []string{}
	for i := range entries {
		ids = append(ids, entries[i].ID)
	}
	return ids
}

func TestForeignTrash(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/a.jsonl", idOne, "a")
	id := s.discard(s.plan("raw" + "/../.claude/memory/raw/a.jsonl")).ID
	s.write(".claude/memory/trash/mine/a.jsonl", "a")
	s.write(".claude/memory/trash/notes.txt", "n")
	s.mkdir(".claude/memory/trash/20261121_110213Z-prune") // an empty directory of a killed writer
	s.write(".claude/memory/trash/20261121_110213Z-prune-2/.continuo-0123456789abcdef.tmp", "{")
	entries, err := s.m.Trash().Entries(t.Context())
	if len(entries) != 1 || entries[0].ID != id || entries[0].Unfinished {
		t.Errorf("entries %+v", entries)
	}
	for _, name := range []string{"mine", "notes.txt"} {
		if err == nil || !errors.Is(err, ErrBadEntry) || !strings.Contains(err.Error(), s.memory("trash/"+name)+":") {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
	if err != nil && strings.Contains(err.Error(), "prune") {
		t.Error(err)
	}
	e, err := s.emptyTrash()
	if e.Files != 1 || len(e.Entries) != 1 || !errors.Is(err, ErrBadEntry) {
		t.Errorf("emptied %+v, error %v", e, err)
	}
	left, err := os.ReadDir(s.memory("trash"))
	if err != nil || len(left) != 5 { // .gitignore, other files, and files that an uninstall deletes
		t.Errorf("left %v, %v", left, err)
	}
}

func TestEmptyTrash(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for _, name := range []string{"a", "b", "c"} {
		s.backup("raw/"+name+".jsonl", idOne, name)
	}
	size := int64(len(`{"sessionId":"` + idOne + `","text":"a"}` + "\n"))
	older := s.discard(s.plan(s.memory("raw/a.jsonl"), s.memory("raw/b.jsonl")))
	plan := s.plan(s.memory("raw/c.jsonl"))
	newer, err := s.m.Discard(t.Context(), plan, at(t, "2026-11-22T00:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	before := s.tree()
	e, err := s.m.Trash().PlanEmpty(t.Context())
	if err != nil || len(e.Entries) != 2 || e.Entries[0].ID != newer.ID || e.Entries[1].ID != older.ID || e.Files != 3 || e.Bytes != 3*size {
		t.Errorf("plan %+v, %v", e, err)
	}
	same(t, "after the preview", s.tree(), before)
	e, err = s.m.EmptyTrash(t.Context(), e)
	if err != nil || e.Files != 3 || e.Bytes != 3*size || len(e.Entries) != 2 {
		t.Errorf("emptied %+v, %v", e, err)
	}
	maps.DeleteFunc(before, func(name, _ string) bool { return strings.HasPrefix(name, "trash/2") })
	same(t, "after emptying", s.tree(), before)
	if _, err := s.m.Undo(t.Context(), older.ID); !errors.Is(err, ErrNoEntry) {
		t.Errorf("undo of a deleted entry: %v", err)
	}
}

// TestEmptyTrashOfThePlan: if a planned file has changed, nothing is deleted.
func TestEmptyTrashOfThePlan(t *testing.T) {
	t.Parallel()
	trashed := func(s store, d TrashEntry, name string) string {
		return s.memory("trash/" + d.ID + "/raw/" + name + ".jsonl")
	}
	for _, c := range []struct {
		name    string
		change  func(s store, d TrashEntry)
		left    string // relative to the memory
		changed bool
	}{
		{"a later one", func(s store, _ TrashEntry) { s.discard(s.plan(s.memory("raw/c.jsonl"))) }, "trash/20261121_110213Z-discard-3/raw/c.jsonl", false},
		{"of a clock that was set back", func(s store, _ TrashEntry) {
			if _, err := s.m.Discard(s.t.Context(), s.plan(s.memory("raw/c.jsonl")), at(s.t, "2026-01-01T00:00:00Z")); err != nil {
				s.t.Fatal(err)
			}
		}, "trash/20260101_000000Z-discard/raw/c.jsonl", false},
		{"another one of its name", func(s store, d TrashEntry) {
			s.undo(d.ID)
			s.discard(s.plan(s.memory("raw/b.jsonl"), s.memory("raw/c.jsonl")))
		}, "trash/20261121_110213Z-discard-2/raw/c.jsonl", true},
		{"rewritten", func(s store, d TrashEntry) {
			if err := os.WriteFile(trashed(s, d, "b"), []byte("by hand"), 0o600); err != nil {
				s.t.Fatal(err)
			}
		}, "trash/20261121_110213Z-discard-2/raw/b.jsonl", true},
		{"not yet moved then", func(s store, d TrashEntry) { s.rename("raw/b.jsonl", "trash/"+d.ID+"/raw/b.jsonl") }, "trash/20261121_110213Z-discard-2/raw/b.jsonl", true},
		{"undone", func(s store, d TrashEntry) { s.undo(d.ID) }, "raw/b.jsonl", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			for _, name := range []string{"a", "b", "c"} {
				s.backup("raw/"+name+".jsonl", idOne, name)
			}
			s.discard(s.plan(s.memory("raw/a.jsonl")))
			d := s.discard(s.plan(s.memory("raw/b.jsonl")))
			if c.name == "not yet moved then" {
				s.rename("trash/"+d.ID+"/raw/b.jsonl", "raw/b.jsonl")
			}
			plan, err := s.m.Trash().PlanEmpty(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			c.change(s, d)
			before := s.tree()
			e, err := s.m.EmptyTrash(t.Context(), plan)
			if errors.Is(err, ErrChanged) != c.changed || (err == nil) == c.changed || len(e.Entries) == 2 == c.changed {
				t.Errorf("emptied %+v, %v", e, err)
			}
			after := s.tree()
			if after[c.left] == "" || (after["trash/20261121_110213Z-discard/raw/a.jsonl"] != "") != c.changed {
				t.Errorf("left %q", slices.Sorted(maps.Keys(after)))
			}
			if c.changed {
				same(t, "refused", after, before)
			}
		})
	}
}

// TestEmptyTrashLeavesOtherFiles: deed.json stays, because it explains the entry.
func TestEmptyTrashLeavesOtherFiles(t *testing.T) {
	t.Parallel()
	for _, stray := range []string{"mine.txt", "raw/mine.txt", "sessions/mine.txt"} {
		s := newStore(t)
		d := s.discard(s.plan(s.backup("raw/a.jsonl", idOne, "a"), s.backup("sessions/raw/b.jsonl", idTwo, "b")))
		s.write(".claude/memory/trash/"+d.ID+"/"+stray, "mine")
		e, err := s.emptyTrash()
		if !errors.Is(err, ErrBadEntry) || !strings.Contains(err.Error(), stray) || e.Files != 2 || len(e.Entries) != 0 {
			t.Errorf("%s: emptied %+v, error %v", stray, e, err)
		}
		if got := s.tree()["trash/"+d.ID+"/"+stray]; got != "mine" || !slices.Equal(s.ids(), []string{d.ID}) {
			t.Errorf("%s: the stray is %q, entries %q", stray, got, s.ids())
		}
		s.remove("trash/" + d.ID + "/" + stray)
		if e, err := s.emptyTrash(); err != nil || len(e.Entries) != 1 || len(s.ids()) != 0 {
			t.Errorf("%s: emptied again %+v, error %v, entries %q", stray, e, err, s.ids())
		}
	}
}

// TestEmptyTrashOfAnotherMarker: after the plan, another entry has the same name.
func TestEmptyTrashOfAnotherMarker(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.mark(".pending-backup", "")
	d := s.discard(s.plan())
	plan, err := s.m.Trash().PlanEmpty(t.Context())
	if err != nil || len(plan.Entries) != 1 {
		t.Fatal(plan, err)
	}
	s.undo(d.ID)
	s.remove(".pending-backup")
	s.mark(".pending-backup-exit", "")
	s.discard(s.plan())
	if e, err := s.m.EmptyTrash(t.Context(), plan); !errors.Is(err, ErrChanged) || len(e.Entries) != 0 || !slices.Equal(s.ids(), []string{d.ID}) {
		t.Errorf("emptied %+v, %v, left %q", e, err, s.ids())
	}
}
