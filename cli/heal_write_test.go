//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// lostLedger returns a project whose committed ledger is deleted from the working tree.
func lostLedger(t *testing.T, files map[string]string) (d *deps, root string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d, root = startWorld(t, "", files)
	healGit(t, root, "init", "-q")
	healGit(t, root, "add", ".")
	healGit(t, root, "commit", "-qm", "one")
	for name := range files {
		if strings.HasPrefix(name, "grimoires/") || strings.HasPrefix(name, ".beads/") {
			if err := os.RemoveAll(filepath.Join(root, strings.Split(name, "/")[0])); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d, root
}

func lookHealed(t *testing.T, d *deps, root string) *entries.HealLook {
	t.Helper()
	h, err := entries.LookHeal(t.Context(), d.Env, root)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func doHeal(t *testing.T, d *deps, h *entries.HealLook) entries.Healed {
	t.Helper()
	done, err := entries.RunHeal(t.Context(), d.Env, h)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func healEntries(t *testing.T, d *deps) []journal.Entry {
	t.Helper()
	list, problems := place.OpenJournal(d.Env).List(t.Context())
	if problems != nil {
		t.Fatal(problems)
	}
	return list
}

// TestHealMeanwhile: a file has appeared since the plan.
func TestHealMeanwhile(t *testing.T) {
	t.Parallel()
	d, root := lostLedger(t, map[string]string{notesFile: "# kept\n", "grimoires/loa/plan.md": "plan\n", ".beads/issues.jsonl": "{}\n"})
	h := lookHealed(t, d, root)
	put(t, root, notesFile, "# theirs\n")
	put(t, root, "grimoires/loa/plan.md", " \n")
	done := doHeal(t, d, h)
	if len(done.Problems) != 0 || done.Failed != 0 || done.ID == "" || slices.Contains(done.Made, filepath.Join(root, notesFile)) {
		t.Errorf("%+v", done)
	}
	for name, want := range map[string]string{notesFile: "# theirs\n", "grimoires/loa/plan.md": "plan\n", ".beads/issues.jsonl": "{}\n"} {
		if text, err := os.ReadFile(filepath.Join(root, name)); string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if list := healEntries(t, d); len(list) != 1 || len(list[0].Ops) != 2 || !list[0].Done {
		t.Errorf("%+v", list)
	}
}

// TestHealNotesElsewhere: the config names a different NOTES.md.
func TestHealNotesElsewhere(t *testing.T) {
	t.Parallel()
	d, root := lostLedger(t, map[string]string{".loa.config.yaml": "memory:\n  notes_file: loa-notes.md\n", notesFile: "# kept\n"})
	h := lookHealed(t, d, root)
	files := 0
	for i := range h.Steps {
		files += len(h.Steps[i].Files)
	}
	done := doHeal(t, d, h)
	text, err := os.ReadFile(filepath.Join(root, notesFile))
	if files != 2 || len(done.Made) != 1 || len(done.Problems) != 0 || done.Failed != 0 || string(text) != "# kept\n" {
		t.Errorf("%d files, %+v, %q, %v", files, done, text, err)
	}
}

// TestHealFails: one of the files can't be written, so nothing is written.
func TestHealFails(t *testing.T) {
	t.Parallel()
	d, root := lostLedger(t, map[string]string{notesFile: "# kept\n", "grimoires/loa/a2a": "a file\n"})
	blob := healObject(t, root, "blob", []byte("{}\n"))
	healGit(t, root, "rm", "-q", "--cached", "grimoires/loa/a2a")
	healGit(t, root, "update-index", "--add", "--cacheinfo", "100644,"+blob+",grimoires/loa/a2a/trajectory/a.jsonl")
	h := lookHealed(t, d, root)
	done, err := entries.RunHeal(t.Context(), d.Env, h)
	if err == nil || !strings.HasSuffix(err.Error(), "/grimoires/loa/a2a/trajectory/a.jsonl could not be written: not a directory. Nothing was healed.") || len(done.Made) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
	if list := healEntries(t, d); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if got, want := healStates(lookHealed(t, d, root)), healStates(h); got != want {
		t.Errorf("then %s, not %s", got, want)
	}
}

// TestHealNotKept: the journal can't be written.
func TestHealNotKept(t *testing.T) {
	t.Parallel()
	d, root := startWorld(t, "", map[string]string{".loa.config.yaml": healConfig})
	put(t, filepath.Dir(place.JournalDir(d.Env)), "journal", "a file")
	done := doHeal(t, d, lookHealed(t, d, root))
	if len(done.Problems) != 1 || !strings.HasPrefix(done.Problems[0], "The journal could not be written, so continuo undo can't undo all of this: ") {
		t.Errorf("%q", done.Problems)
	}
	if len(done.Made) != 4 || done.Failed != 0 || done.ID != "" || done.Recorded == "" {
		t.Errorf("%+v", done)
	}
}

// TestHealUndo: undo keeps the log of today, which has the record of the heal.
func TestHealUndo(t *testing.T) {
	t.Parallel()
	log := "grimoires/loa/a2a/trajectory/system-" + now().Format("2006-01-02") + ".jsonl"
	d, root := lostLedger(t, map[string]string{notesFile: "# kept\n", "grimoires/loa/x/y.md": "y\n", log: "{}\n"})
	if done := doHeal(t, d, lookHealed(t, d, root)); len(done.Problems) != 0 {
		t.Fatalf("%+v", done)
	}
	undo := func() {
		t.Helper()
		e := healEntries(t, d)[0]
		store := writing.Store(d.Env)
		way, err := store.Undo(t.Context(), &e)
		if err == nil {
			_, err = store.Do(t.Context(), &way.Change, store.UndoPlan(&e))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	undo()
	for _, name := range []string{notesFile, "grimoires/loa/x"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if text, err := os.ReadFile(filepath.Join(root, log)); strings.Count(string(text), "\n") != 2 {
		t.Errorf("%q, %v", text, err)
	}
	put(t, root, notesFile, "")
	if done := doHeal(t, d, lookHealed(t, d, root)); len(done.Problems) != 0 || len(done.Made) != 1 {
		t.Fatalf("%+v", done)
	}
	undo()
	if text, err := os.ReadFile(filepath.Join(root, notesFile)); err != nil || len(text) != 0 {
		t.Errorf("%q, %v", text, err)
	}
}

// TestHealLeavesOut: another program creates a file meanwhile.
func TestHealLeavesOut(t *testing.T) {
	t.Parallel()
	d, root := lostLedger(t, map[string]string{notesFile: "# kept\n", ".beads/issues.jsonl": "{}\n"})
	w := &entries.HealWriting{Env: d.Env, Look: lookHealed(t, d, root), Taken: map[string]bool{}}
	c, err := w.Plan(t.Context())
	if err != nil || len(c.Ops) != 2 {
		t.Fatalf("%+v, %v", c.Ops, err)
	}
	for _, cause := range []error{&change.TakenError{Paths: []string{c.Ops[0].Path()}}, change.ErrChanged} {
		if err := c.Ops[0].Fail(cause); w.LeaveOut(&act.HalfError{Err: err}) || !w.LeaveOut(err) || w.LeaveOut(err) {
			t.Errorf("%v", err)
		}
		clear(w.Taken)
	}
	if w.LeaveOut(nil) || w.LeaveOut(c.Ops[0].Fail(os.ErrPermission)) || !w.LeaveOut(c.Ops[0].Fail(change.ErrChanged)) {
		t.Error("LeaveOut accepts the wrong errors")
	}
	if now, err := w.Plan(t.Context()); err != nil || len(now.Ops) != 1 || len(w.Made) != 1 || !change.Same(&c, &now) {
		t.Errorf("%+v, %v", now.Ops, err)
	}
}
