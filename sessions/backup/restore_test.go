package backup

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/journal"
)

func TestPlanRestore(t *testing.T) {
	t.Parallel()
	root := string(filepath.Separator)
	if v := filepath.VolumeName(t.TempDir()); v != "" {
		root = v + root
	}
	dir := filepath.Join(root, "home", "ada", ".claude", "projects", "-home-ada-tea")
	now := at(t, trashNow)
	day := 24 * time.Hour
	facts := func(change func(f *RestoreFacts)) RestoreFacts {
		f := RestoreFacts{
			Project: "/home/ada/tea", Backup: Move{"/b", "raw/a.jsonl", 3, now.Add(-10 * day)}, SessionID: idOne,
			Markers: []KeptMarker{{Name: ".pending-backup", Text: "/b", State: MarkerValid}},
			New:     idTwo, Dir: dir, Retention: 30, Now: now,
		}
		change(&f)
		return f
	}
	for _, c := range []struct {
		name    string
		change  func(f *RestoreFacts)
		id      string
		modTime time.Time
		fresh   bool
		sweep   time.Time
	}{
		{"own id", func(*RestoreFacts) {}, idOne, now.Add(-10 * day), false, now.Add(20 * day)},
		{"new id", func(f *RestoreFacts) { f.As = idTwo }, idTwo, now.Add(-10 * day), false, now.Add(20 * day)},
		{"7 days left", func(f *RestoreFacts) { f.Backup.Modified = now.Add(-23 * day) }, idOne, now.Add(-23 * day), false, now.Add(7 * day)},
		{"less", func(f *RestoreFacts) { f.Backup.Modified = now.Add(-23*day - 1) }, idOne, now, true, now.Add(30 * day)},
		{"long ago", func(f *RestoreFacts) { f.Backup.Modified = now.AddDate(-1, 0, 0) }, idOne, now, true, now.Add(30 * day)},
		{"swept each day", func(f *RestoreFacts) { f.Retention = 1; f.Backup.Modified = now }, idOne, now, true, now.Add(day)},
		{"never swept", func(f *RestoreFacts) { f.Retention = 0; f.Backup.Modified = now.AddDate(-1, 0, 0) }, idOne, now.AddDate(-1, 0, 0), false, time.Time{}},
		{"longest", func(f *RestoreFacts) { f.Retention = 100_000 }, idOne, now.Add(-10 * day), false, now.Add(99_990 * day)},
		{"new id beside what cannot be listed", func(f *RestoreFacts) { f.As = idTwo; f.Unlisted = []string{"/x"} }, idTwo, now.Add(-10 * day), false, now.Add(20 * day)},
		{"unknown, new id", func(f *RestoreFacts) { f.SessionID = ""; f.As = idTwo }, idTwo, now.Add(-10 * day), false, now.Add(20 * day)},
	} {
		p, err := PlanRestore(facts(c.change))
		if err != nil || p.ID != c.id || p.To != filepath.Join(dir, c.id+".jsonl") || !p.ModTime.Equal(c.modTime) || p.Fresh != c.fresh ||
			!p.Sweep.Equal(c.sweep) || p.Project != "/home/ada/tea" || p.Backup.Name != "raw/a.jsonl" || len(p.Markers) != 1 {
			t.Errorf("%s: %+v, %v", c.name, p, err)
		}
	}
	for _, c := range []struct {
		name   string
		change func(f *RestoreFacts)
		err    error
		offer  string
	}{
		{"taken", func(f *RestoreFacts) { f.Existing = []string{"/x"} }, ErrTaken, idTwo},
		{"may be taken", func(f *RestoreFacts) { f.Unlisted = []string{"/x"} }, ErrUnlisted, idTwo},
		{"may be taken where it goes", func(f *RestoreFacts) { f.Unlisted = []string{"/x", dir} }, ErrUnlisted, ""},
		{"taken, and more that cannot be listed", func(f *RestoreFacts) { f.Existing, f.Unlisted = []string{"/y"}, []string{"/x"} }, ErrTaken, idTwo},
		{"new one taken", func(f *RestoreFacts) { f.As = idTwo; f.Existing = []string{"/x"} }, ErrTaken, ""},
		{"live", func(f *RestoreFacts) { f.Live = true; f.Existing = []string{"/x"} }, ErrLive, idTwo},
		{"unknown", func(f *RestoreFacts) { f.SessionID = "" }, ErrNoID, idTwo},
		{"no id", func(f *RestoreFacts) { f.As = "../../x"; f.New = "" }, ErrNoID, ""},
		{"no directory", func(f *RestoreFacts) { f.Dir = "" }, ErrNoPlace, ""},
		{"relative", func(f *RestoreFacts) { f.Dir = "projects/x" }, ErrNoPlace, ""},
		{"elsewhere", func(f *RestoreFacts) { f.Dir = filepath.Join(root, "home", "ada") }, ErrNoPlace, ""},
		{"projects itself", func(f *RestoreFacts) { f.Dir = filepath.Dir(dir) }, ErrNoPlace, ""},
	} {
		f := facts(c.change)
		p, err := PlanRestore(f)
		r, ok := errors.AsType[*RestoreRefusal](err)
		paths := f.Existing
		if errors.Is(c.err, ErrUnlisted) {
			paths = f.Unlisted
		}
		if !ok || !errors.Is(err, c.err) || r.Offer != c.offer || !slices.Equal(r.Paths, paths) || p.To != "" ||
			!strings.HasPrefix(err.Error(), `restore as "`+cmp.Or(f.As, f.SessionID)+`": `) {
			t.Errorf("%s: %+v, %#v", c.name, p, err)
		}
	}
}

// world is a test project with a Claude config directory.
type world struct {
	store
	projects string
	live     func(ctx context.Context, id string) bool
}

func newWorld(t *testing.T) world {
	t.Helper()
	return worldIn(t, t.TempDir())
}

func worldIn(t *testing.T, dir string) world {
	t.Helper()
	projects := filepath.Join(dir, "claude", "projects")
	if err := os.MkdirAll(projects, 0o700); err != nil {
		t.Fatal(err)
	}
	return world{storeIn(t, filepath.Join(dir, "a project")), projects, closed}
}

func (w world) restorePlan(path string) RestorePlan {
	w.t.Helper()
	f, err := w.m.LookRestore(w.t.Context(), path)
	if err != nil {
		w.t.Fatal(err)
	}
	f.Dir, f.Retention, f.Now = filepath.Join(w.projects, "-tea"), 30, at(w.t, "2026-03-20T00:00:00Z")
	p, err := PlanRestore(f)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w world) restore(path string) (RestorePlan, journal.Entry) {
	w.t.Helper()
	p := w.restorePlan(path)
	e, err := w.m.Restore(w.t.Context(), p, at(w.t, trashNow))
	if err != nil {
		w.t.Fatal(err)
	}
	return p, e
}

func (w world) undoRestore(e journal.Entry) error {
	w.t.Helper()
	s := actor(at(w.t, trashNow))
	s.Live = w.live
	return undoRestore(w.t.Context(), s, e)
}

func TestLookRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.backup("raw/a.jsonl", idOne, "a")
	w.mark(".pending-backup-exit", a)
	w.mark(".pending-backup", "")
	f, err := w.m.LookRestore(t.Context(), a)
	if err != nil || f.SessionID != idOne || f.Backup.Path != a || len(f.Markers) != 1 || f.Project != w.dir {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := w.m.LookRestore(t.Context(), w.path("a.jsonl")); !errors.Is(err, ErrNotBackup) {
		t.Errorf("elsewhere: %v", err)
	}
}

func TestRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.backup("raw/a.jsonl", idOne, strings.Repeat("a", 5<<20))
	w.mark(".pending-backup", a+"\n")
	w.mark(".pending-backup-exit-2", a)
	before := w.tree()
	p, e := w.restore(a)
	if len(e.Ops) != 3 || e.Ops[0].Path() != p.To || e.Ops[0].From != a || e.Ops[0].Bytes != p.Backup.Bytes || e.Ops[0].Session != idOne {
		t.Errorf("ops %+v", e.Ops)
	}
	made := tree(t, w.projects)
	same(t, "made", made, map[string]string{"-tea/" + idOne + ".jsonl": before["raw/a.jsonl"]}) // including the time
	if fi, err := os.Stat(p.To); err != nil || fi.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("mode %v, %v", fi, err)
	}
	if fi, err := os.Stat(filepath.Dir(p.To)); err != nil || fi.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("mode of the directory %v, %v", fi, err)
	}
	after := maps.Clone(before)
	delete(after, ".pending-backup")
	delete(after, ".pending-backup-exit-2")
	same(t, "restored", w.tree(), after) // the trash must be empty
	if err := w.undoRestore(e); err != nil {
		t.Error(err)
	}
	same(t, "undone", w.tree(), before)
	same(t, "projects", tree(t, w.projects), map[string]string{})
}

func TestRestoreFresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.restorePlan(w.backup("raw/a.jsonl", idOne, "a"))
	p.ModTime = at(t, trashNow)
	if _, err := w.m.Restore(t.Context(), p, at(t, trashNow)); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(p.To); err != nil || !fi.ModTime().Equal(at(t, trashNow)) {
		t.Errorf("%v, %v", fi, err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(w world, p *RestorePlan)
		err    error // nil means *TakenError
	}{
		{"taken", func(w world, p *RestorePlan) { writeBytes(w.t, w.projects, "-tea/"+idOne+".jsonl", []byte("mine")) }, nil},
		{"a directory", func(w world, p *RestorePlan) {
			if err := os.MkdirAll(p.To, 0o700); err != nil {
				w.t.Fatal(err)
			}
		}, nil},
		{"grown", func(w world, _ *RestorePlan) { w.backup("raw/a.jsonl", idOne, "more than that") }, ErrChanged},
		{"gone", func(w world, _ *RestorePlan) { w.remove("raw/a.jsonl") }, ErrChanged},
		{"no id", func(_ world, p *RestorePlan) { p.To = filepath.Join(filepath.Dir(p.To), "x.jsonl") }, ErrNoPlace},
		{"up", func(_ world, p *RestorePlan) { p.To = filepath.Dir(p.To) + "/../../" + idOne + ".jsonl" }, ErrNoPlace},
		{"another project", func(_ world, p *RestorePlan) { p.Project = "/x" }, errForeignPlan},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := os.MkdirAll(filepath.Join(w.projects, "-tea"), 0o700); err != nil {
				t.Fatal(err)
			}
			a := w.backup("raw/a.jsonl", idOne, "a")
			w.mark(".pending-backup", a)
			p := w.restorePlan(a)
			c.change(w, &p)
			before, projects := w.tree(), tree(t, w.projects)
			e, err := w.m.Restore(t.Context(), p, at(t, trashNow))
			taken, isTaken := errors.AsType[*TakenError](err)
			switch {
			case err == nil:
				t.Errorf("%+v", e)
			case c.err == nil && (!isTaken || taken.Paths[0] != p.To):
				t.Errorf("error %v", err)
			case c.err != nil && !errors.Is(err, c.err):
				t.Errorf("error %v", err)
			}
			same(t, "memory", w.tree(), before)
			same(t, "projects", tree(t, w.projects), projects)
		})
	}
}

func TestRestoreSweeps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.MkdirAll(filepath.Join(w.projects, "-tea"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeBytes(t, w.projects, "-tea/.continuo-0123456789abcdef.tmp", []byte("half"))
	writeBytes(t, w.projects, "-tea/.continuo-20261121_110213Z-restore", []byte("somebody's"))
	alive := inTheMaking(t, filepath.Join(w.projects, "-tea"))
	w.restore(w.backup("raw/a.jsonl", idOne, "a"))
	got := tree(t, w.projects)
	_, dead := got["-tea/.continuo-0123456789abcdef.tmp"]
	if _, ok := got["-tea/"+alive]; !ok || dead || len(got) != 3 {
		t.Errorf("left %q", got)
	}
}

// inTheMaking creates a temporary file of a live writer, and returns its name.
func inTheMaking(t *testing.T, dir string) string {
	t.Helper()
	r, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	temp, err := r.Create(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { temp.Drop(); _ = r.Close() })
	return temp.Name()
}

func TestUndoRestoreRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(w *world, made string)
		err    error
	}{
		{"resumed since", func(w *world, made string) {
			f, err := os.OpenFile(made, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				w.t.Fatal(err)
			}
			_, _ = f.WriteString("{}\n")
			if err := f.Close(); err != nil {
				w.t.Fatal(err)
			}
		}, ErrChanged},
		{"live", func(w *world, _ string) { w.live = func(_ context.Context, id string) bool { return id == idOne } }, ErrLive},
		{"not known whether live", func(w *world, _ string) { w.live = nil }, ErrLive},
		{"the backup is gone", func(w *world, _ string) { w.remove("raw/a.jsonl") }, ErrChanged},
		{"the backup is another", func(w *world, _ string) { w.backup("raw/a.jsonl", idOne, "b") }, ErrChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			a := w.backup("raw/a.jsonl", idOne, "a")
			w.mark(".pending-backup", a)
			p, e := w.restore(a)
			c.change(&w, p.To)
			before, projects := w.tree(), tree(t, w.projects)
			if err := w.undoRestore(e); !errors.Is(err, c.err) {
				t.Errorf("undo: %v", err)
			}
			same(t, "memory", w.tree(), before)
			same(t, "projects", tree(t, w.projects), projects)
		})
	}
}

// TestUndoRestoreFromAnywhere: the undo is killed at each step. The next undo completes it.
func TestUndoRestoreFromAnywhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kill func(w world, made, aside string, marker string)
	}{
		{"before it was made", func(w world, made, _, marker string) {
			if err := os.Remove(made); err != nil {
				w.t.Fatal(err)
			}
			w.mark(".pending-backup", marker)
		}},
		{"before the marker was removed", func(w world, _, _, marker string) { w.mark(".pending-backup", marker) }},
		{"set aside", func(w world, made, aside, _ string) {
			if err := os.Rename(made, aside); err != nil {
				w.t.Fatal(err)
			}
		}},
		{"removed", func(w world, made, _, _ string) {
			if err := os.Remove(made); err != nil {
				w.t.Fatal(err)
			}
		}},
		{"the whole client", func(w world, _, _, _ string) {
			if err := os.RemoveAll(w.projects); err != nil {
				w.t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			a := w.backup("raw/a.jsonl", idOne, "a")
			w.mark(".pending-backup", a)
			before := w.tree()
			p, e := w.restore(a)
			c.kill(w, p.To, filepath.Join(filepath.Dir(p.To), ".continuo-"+filepath.Base(p.To)), a)
			if err := w.undoRestore(e); err != nil {
				t.Fatal(err)
			}
			same(t, "memory", w.tree(), before)
			if _, err := os.Stat(w.projects); err == nil {
				same(t, "projects", tree(t, w.projects), map[string]string{})
			}
		})
	}
}

// TestUndoRestoreAsideChanged: a killed undo has renamed the file, and then the file changes.
func TestUndoRestoreAsideChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, e := w.restore(w.backup("raw/a.jsonl", idOne, "a"))
	aside := filepath.Join(filepath.Dir(p.To), ".continuo-"+filepath.Base(p.To))
	if err := os.Rename(p.To, aside); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(aside, []byte("more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.undoRestore(e); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(p.To); err != nil || string(text) != "more" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTrashEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.backup("raw/a.jsonl", idOne, "a")
	w.mark(".pending-backup", a)
	plan, restore := w.plan(a), w.restorePlan(a)
	before := w.tree()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	now := at(t, trashNow)
	_, planErr := w.m.PlanDiscard(ctx, nil)
	_, discardErr := w.m.Discard(ctx, plan, now)
	_, restoreErr := w.m.Restore(ctx, restore, now)
	_, pruneErr := w.m.PlanPrune(ctx, PruneRule{})
	_, undoErr := w.m.Undo(ctx, "")
	for i, err := range []error{planErr, discardErr, restoreErr, pruneErr, undoErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", i, err)
		}
	}
	same(t, "memory", w.tree(), before)
	same(t, "projects", tree(t, w.projects), map[string]string{})
}
