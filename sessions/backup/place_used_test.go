package backup

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSaveUsedNames: a reused name would block restoring the earlier backup and lose its sum.
func TestSaveUsedNames(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.write("t.jsonl", records(sessionA, 1))
	r := Request{Transcript: s.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z")}
	first := s.save(s.m, r)
	d := s.discard(s.plan(first.Path))
	second := s.save(s.m, r)
	// The trash has the name of a backup without a sum. The sums have the name of a deleted backup.
	s.discard(s.plan(second.Path))
	if _, err := s.emptyTrash(); err != nil {
		t.Fatal(err)
	}
	foreign := s.backup("raw/20261121_110213Z_exit-3.jsonl", idOne, "foreign")
	d = s.discard(s.plan(foreign))
	last := s.save(s.m, r)
	if second.Name != "20261121_110213Z_exit-2.jsonl" || last.Name != "20261121_110213Z_exit-4.jsonl" {
		t.Errorf("%s, %s", second.Name, last.Name)
	}
	s.undo(d.ID)
	sums, err := s.m.Sums()
	names := []string{first.Name, second.Name, last.Name}
	if got := slices.Sorted(maps.Keys(sums)); err != nil || !slices.Equal(got, slices.Sorted(slices.Values(names))) {
		t.Errorf("sums of %q, %v", got, err)
	}
}

// TestMarkAlone: a marker that is written without the lock isn't overwritten.
func TestMarkAlone(t *testing.T) {
	t.Parallel()
	for label, tt := range map[string]struct {
		by    By
		there []string // ends of the names
		want  string
	}{
		"none":       {ByEnd, nil, ""},
		"the first":  {ByEnd, []string{""}, "-exit-2"},
		"compaction": {ByCompact, []string{"", "-compact", "-exit-2"}, "-compact-2"},
		"more":       {ByPerson, []string{"", "-exit", "-exit-2", "-exit-4"}, "-exit-3"},
	} {
		s := newStore(t)
		for _, rest := range tt.there {
			s.mark(".pending-backup"+rest, "")
		}
		before := s.markers()
		v := &saving{m: s.m, r: Request{By: tt.by}}
		draft, err := s.m.draft(markerPrefix, []byte("new"), fileMode)
		if err != nil {
			t.Fatal(err)
		}
		path, err := v.publishMarkerUnlocked(draft)
		before[".pending-backup"+tt.want] = "new"
		if err != nil || path != s.memory(".pending-backup"+tt.want) || !maps.Equal(s.markers(), before) {
			t.Errorf("%s: %s, %v, markers %q", label, path, err, s.markers())
		}
		s.hasNoTemps()
	}
}

// TestNumberLeavesNoGap: another program writes markers without the lock.
func TestNumberLeavesNoGap(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.mark(".pending-backup-exit", "old")
	s.mark(".pending-backup-exit-2", "of another one")
	if err := s.m.number(".pending-backup-exit"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".pending-backup-exit": "old", ".pending-backup-exit-2": "of another one", ".pending-backup-exit-3": "old"}
	if got := s.markers(); !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
	s.hasNoTemps()
	a := s.backup("raw/a.jsonl", idOne, "a")
	s.mark(".pending-backup-exit-4", a)
	d := s.discard(s.plan(a))
	by := actor(at(t, trashNow))
	by.Step = func(step, name string) error {
		if came := ".pending-backup-exit-4"; step == "rename" && name == came {
			s.mark(came, "came")
		}
		return nil
	}
	u, err := s.m.undoBy(t.Context(), by, d.ID)
	want[".pending-backup-exit-4"], want[".pending-backup-exit-5"] = "came", "a.jsonl"
	if got := s.markers(); err != nil || !maps.Equal(got, want) || len(u.Moves) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	s.hasNoTemps()
}

// TestDiscardMarkersOfNow: a marker is written after the plan. It is removed too.
func TestDiscardMarkersOfNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.backup("raw/a.jsonl", idOne, "a"), w.backup("raw/b.jsonl", idTwo, "b")
	w.mark(".pending-backup-exit", a)
	plan, restore := w.plan(a), w.restorePlan(a)
	w.mark(".pending-backup", " "+a+"\n")
	w.rename(".pending-backup-exit", ".pending-backup-exit-7")
	w.mark(".pending-backup-compact-2", ".claude/memory/raw/a.jsonl")
	w.mark(".pending-backup-exit", b)
	before := w.tree()
	want := []string{".pending-backup-exit-7", ".pending-backup-compact-2", ".pending-backup"}
	for _, do := range []func() (names []string, undo func() error, err error){
		func() (names []string, undo func() error, err error) {
			d, err := w.m.Discard(t.Context(), plan, at(t, trashNow))
			for _, k := range d.Markers {
				names = append(names, k.Name)
			}
			return names, func() error { _, err := w.m.Undo(t.Context(), d.ID); return err }, err
		},
		func() (names []string, undo func() error, err error) {
			e, err := w.m.Restore(t.Context(), restore, at(t, trashNow))
			for _, o := range e.Ops[1:] {
				names = append(names, o.Name)
			}
			return names, func() error { return w.undoRestore(e) }, err
		},
	} {
		names, undo, err := do()
		if got := slices.Sorted(maps.Keys(w.markers())); err != nil || !slices.Equal(names, want) || !slices.Equal(got, []string{".pending-backup-exit"}) {
			t.Errorf("removed %q, left %q, %v", names, got, err)
		}
		if err := undo(); err != nil {
			t.Error(err)
		}
		same(t, "undone", w.tree(), before)
	}
}

func TestLockOfAForeignFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "\n", "\n": "\n", "x": "x", "\n\n": "\n\n", "# keep this\n": "# keep this\n"} {
		p := newProject(t)
		p.write(".claude/memory/.lock", text)
		unlock, err := p.open().lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		unlock()
		if got := p.read(".lock"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestUndoRestoreDirectory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		prep func(w world, dir string)
		use  func(w world, dir string)
		left []string
	}{
		{"made", nil, nil, []string{}},
		{"there before", func(w world, dir string) { w.makeDir(dir) }, nil, []string{"-tea"}},
		{"used since", nil, func(w world, dir string) { writeBytes(w.t, dir, "x", nil) }, []string{"-tea"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			dir := w.projects + "/-tea"
			if c.prep != nil {
				c.prep(w, dir)
			}
			_, e := w.restore(w.backup("raw/a.jsonl", idOne, "a"))
			if c.use != nil {
				c.use(w, dir)
			}
			if err := w.undoRestore(e); err != nil {
				t.Fatal(err)
			}
			w.wantDirs(c.left)
		})
	}
	w := newWorld(t)
	p := w.restorePlan(w.backup("raw/a.jsonl", idOne, "a"))
	s, failed := actor(at(t, trashNow)), errors.New("full")
	s.Step = func(step, _ string) error {
		if step == "rename" {
			return failed
		}
		return nil
	}
	if _, err := w.m.restoreBy(t.Context(), s, p); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	w.wantDirs([]string{}) // a failed restore must leave no directory
}

func (w world) makeDir(dir string) {
	w.t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		w.t.Fatal(err)
	}
}

func (w world) wantDirs(want []string) {
	w.t.Helper()
	got := []string{}
	entries, err := os.ReadDir(w.projects)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if err != nil || !slices.Equal(got, want) {
		w.t.Errorf("projects has %q, %v", got, err)
	}
}

// TestRestoreLasts: markers are removed after the syncs of the new file's directory and its parent.
func TestRestoreLasts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.backup("raw/a.jsonl", idOne, "a")
	w.mark(".pending-backup", a)
	p := w.restorePlan(a)
	s := actor(at(t, trashNow))
	var steps []string
	s.Step = func(step, name string) error {
		if _, err := os.Lstat(p.To); step == "remove" && (err != nil || w.read(".pending-backup") != a) {
			t.Errorf("%s: %v, marker %q", name, err, w.read(".pending-backup"))
		}
		if step == "rename" || step == "remove" || step == "sync directory" {
			steps = append(steps, step+" "+filepath.ToSlash(name))
		}
		return nil
	}
	if _, err := w.m.restoreBy(t.Context(), s, p); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"sync directory .", "rename -tea/" + idOne + ".jsonl", "sync directory -tea", "remove .pending-backup", "sync directory .",
	}
	if !slices.Equal(steps, want) || w.read(".pending-backup") != "" {
		t.Errorf("steps %q, marker %q", steps, w.read(".pending-backup"))
	}
}
