package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/tui"
)

// TestUndoPassedOver: undo names the newer actions that it skips.
func TestUndoPassedOver(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	older, newer := k.backup("20261121_110213Z_exit", 1, "tea", 2, ""), k.backup("20261121_120213Z_exit", 2, "tea", 2, "")
	k.must("tea", "backup discard "+older+" --yes")
	k.must("tea", "backup discard "+newer+" --yes")
	if out := k.must("tea", "undo --dry-run"); strings.Contains(out, "stays") || !strings.Contains(out, "20261121_120213Z_exit") {
		t.Error(out)
	}
	if err := os.WriteFile(newer, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := k.must("tea", "undo --dry-run")
	if !strings.Contains(out, "But        △ Discarded 1 backup, today 15:52, stays: ") && !strings.Contains(out, "But        △ Discarded 1 backup, Today 15:52, stays: ") {
		t.Error(out)
	}
}

// TestUndoNotAnother: the newest note has changed. --yes must not undo an older note.
func TestUndoNotAnother(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n## Open Questions\n\n- [ ] first\n")
	w.run(out.ExitDone, "note", "question", "One?", "--yes")
	output := w.run(out.ExitDone, "note", "question", "Two?", "--yes")
	list := w.entries()
	if len(list) != 2 || !strings.Contains(output, "To undo: continuo undo "+list[0].ID+"\n") {
		t.Fatalf("%d entries\n%s", len(list), output)
	}
	edited := strings.Replace(w.notes(), "Two?", "2?", 1)
	w.write(notesFile, edited)
	printed := w.run(out.ExitFailed, "undo", "--yes")
	if !strings.Contains(printed, "Noted a question: Two?, ") || !strings.Contains(printed, "continuo undo "+list[1].ID+"   noted a question: One?") || w.notes() != edited {
		t.Errorf("%s\n%s", printed, w.notes())
	}
	if out := w.run(out.ExitDone, "undo", "--dry-run"); !strings.Contains(out, "stays: ") {
		t.Error(out)
	}
	w.run(out.ExitDone, "undo", list[1].ID, "--yes")
	if strings.Contains(w.notes(), "One?") || !strings.Contains(w.notes(), "2?") {
		t.Error(w.notes())
	}
}

// TestUndoElsewhere: an action of another project is undone only by name.
func TestUndoElsewhere(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	tea := w.project
	w.run(out.ExitDone, "note", "question", "One?", "--yes")
	id := w.entries()[0].ID
	const warns = "it also affects other projects: ~/teahouse"
	dirs := map[string]bool{tea: true, filepath.Join(tea, "src"): true, filepath.Join(w.home, "pantry"): false, w.home: false}
	for dir, here := range dirs {
		w.project = dir
		if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o700); err != nil {
			t.Fatal(err)
		}
		if out := strings.Join(strings.Fields(w.run(out.ExitDone, "undo", id, "--dry-run")), " "); strings.Contains(out, warns) == here {
			t.Errorf("in %s: %s", dir, out)
		}
		if here {
			w.run(out.ExitDone, "undo", "--dry-run")
			continue
		}
		for _, how := range []string{"--dry-run", "--yes"} {
			if out := w.run(out.ExitNone, "undo", how); !strings.Contains(out, "Nothing to undo in this project") || !strings.Contains(out, "continuo undo "+id+"   noted a question: One?, of teahouse") {
				t.Errorf("in %s: %s", dir, out)
			}
		}
	}
	w.project = tea
	if !strings.Contains(w.notes(), "One?") {
		t.Errorf("it was undone: %s", w.notes())
	}
	w.run(out.ExitDone, "undo", "--yes")
	if w.notes() != "-" {
		t.Error(w.notes())
	}
}

// TestUndoNested: a project inside another project has its own actions.
func TestUndoNested(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	outer := filepath.Join(w.home, "plain")
	inner := filepath.Join(outer, "in")
	for _, dir := range []string{filepath.Join(outer, ".claude"), filepath.Join(inner, ".claude"), filepath.Join(inner, "src"), filepath.Join(outer, "lib")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string][2]bool{
		inner: {false, true}, filepath.Join(inner, "src"): {false, true}, outer: {true, false}, filepath.Join(outer, "lib"): {true, false},
	} {
		scope := undoing.ScopeOf(t.Context(), w.d.Env, dir)
		if got := [2]bool{scope.Here(outer), scope.Here(inner)}; got != want {
			t.Errorf("in %s: outer and inner are %v, want %v", dir, got, want)
		}
	}
}

// TestUndoOwn: the command, and the browser of one project, ignore other projects. The browser of all projects
// undoes the newest action.
func TestUndoOwn(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	mine, other := k.backup("20261121_110213Z_exit", 1, "tea", 2, ""), k.backup("20261121_120213Z_exit", 2, "pantry", 2, "")
	k.must("tea", "backup discard "+mine+" --yes")
	k.must("pantry", "backup discard "+other+" --yes")
	c := k.changes(now())
	tea := filepath.Join(k.home, "tea")
	for dir, want := range map[string]string{tea: "of tea", filepath.Join(k.home, "pantry"): "of pantry", "": "of pantry", k.home: ""} {
		plan, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeUndo, Dir: dir})
		if (err == nil) != (want != "") || err == nil && !strings.Contains(planText(plan.Parts), strings.TrimPrefix(want, "of ")) {
			t.Errorf("in %q: %v\n%s", dir, err, planText(plan.Parts))
		}
	}
	c.Env.Dir = tea
	if past := k.past(c); len(past) != 2 || !past[0].Elsewhere || past[1].Elsewhere {
		t.Errorf("%+v", past)
	}
	k.must("tea", "undo --yes")
	if !k.there(mine) || k.there(other) {
		t.Errorf("there are mine %v, other %v", k.there(mine), k.there(other))
	}
}

// TestUndoNothingButBack: an undo can be undone only by its ID.
func TestUndoNothingButBack(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.run(out.ExitDone, "note", "question", "One?", "--yes")
	if out := w.run(out.ExitDone, "undo", "--yes"); w.notes() != "-" {
		t.Fatal(out)
	}
	if out := w.run(out.ExitNone, "undo", "--yes"); !strings.Contains(out, "Only undos can be undone, and only by ID.") || w.notes() != "-" {
		t.Errorf("%s\n%s", out, w.notes())
	}
	w.run(out.ExitDone, "undo", "1", "--yes")
	if !strings.Contains(w.notes(), "One?") {
		t.Error(w.notes())
	}
	for _, c := range []struct {
		actions, steps int
		want           string
	}{
		{0, 0, "0 actions can be undone: continuo undo [NUMBER]."},
		{1, 0, "1 action can be undone: continuo undo [NUMBER]."},
		{0, 2, "2 undos can be undone, but only by number: continuo undo NUMBER."},
		{5, 2, "5 actions can be undone: continuo undo [NUMBER]. 2 undos can be undone by number only."},
	} {
		if got := undoing.ListSum(c.actions, c.steps); got != c.want {
			t.Errorf("%d, %d: %s", c.actions, c.steps, got)
		}
	}
}

// TestUndoStray: foreign files in a trash entry don't prevent an earlier undo.
func TestUndoStray(t *testing.T) {
	t.Parallel()
	for _, stray := range []string{".DS_Store", "raw/.DS_Store", "mine.txt", "raw/mine.txt"} {
		k := newMemoryHome(t)
		first, second := k.backup("20261121_110213Z_exit", 1, "tea", 2, ""), k.backup("20261121_120213Z_exit", 2, "tea", 2, "")
		k.must("tea", "backup discard "+first+" --yes")
		k.must("tea", "backup discard "+second+" --yes")
		k.write("mine", "tea", ".claude", "memory", "trash", "20261121_155200Z-discard-2", filepath.FromSlash(stray))
		for _, path := range []string{second, first} {
			if k.must("tea", "backup undo --yes"); !k.there(path) {
				t.Errorf("%s: %s is not back", stray, path)
			}
		}
		if code, _, _ := k.run("tea", "-", "backup", "undo", "--yes"); code != out.ExitNone {
			t.Errorf("%s: exit code %d", stray, code)
		}
		if hidden := strings.Contains(stray, ".DS"); hidden != (k.must("tea", "backup list --trash") == "") {
			t.Errorf("%s: %s", stray, k.must("tea", "backup list --trash"))
		}
	}
}
