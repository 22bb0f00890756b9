package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUndoPassedOver: what is newer than the action that is taken back, and stays, is named.
func TestUndoPassedOver(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
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

// TestUndoNotAnother: nothing else is taken back in the place of a note that was changed since, unless it is seen or named.
func TestUndoNotAnother(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n## Open Questions\n\n- [ ] first\n")
	w.run(ExitDone, "note", "question", "One?", "--yes")
	said := w.run(ExitDone, "note", "question", "Two?", "--yes")
	list := w.entries()
	if len(list) != 2 || !strings.Contains(said, "To take it back: continuo undo "+list[0].ID+"\n") {
		t.Fatalf("%d entries\n%s", len(list), said)
	}
	edited := strings.Replace(w.notes(), "Two?", "2?", 1)
	w.write(notesFile, edited)
	out := w.run(ExitFailed, "undo", "--yes")
	if !strings.Contains(out, "Noted a question: Two?, ") || !strings.Contains(out, "continuo undo "+list[1].ID+"   noted a question: One?") || w.notes() != edited {
		t.Errorf("%s\n%s", out, w.notes())
	}
	if out := w.run(ExitDone, "undo", "--dry-run"); !strings.Contains(out, "stays: ") {
		t.Error(out)
	}
	w.run(ExitDone, "undo", list[1].ID, "--yes")
	if strings.Contains(w.notes(), "One?") || !strings.Contains(w.notes(), "2?") {
		t.Error(w.notes())
	}
}

// TestUndoElsewhere: an action of another project is taken back where it is asked for, and the plan says which one it is of.
func TestUndoElsewhere(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	tea := w.project
	w.run(ExitDone, "note", "question", "One?", "--yes")
	const warns = "it was done in another project than that of this folder: "
	for dir, other := range map[string]bool{tea: false, filepath.Join(tea, "src"): false, filepath.Join(w.home, "pantry"): true, w.home: false} {
		w.project = dir
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		out := strings.Join(strings.Fields(w.run(ExitDone, "undo", "--dry-run")), " ")
		if !strings.Contains(out, "noted a question: One? of teahouse") || strings.Contains(out, warns+"~/teahouse") != other || strings.Contains(out, warns) != other {
			t.Errorf("in %s: %s", dir, out)
		}
	}
}

// TestUndoNothingButBack: a step back is not taken back unless it is named, and both the list and undo alone say so.
func TestUndoNothingButBack(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.run(ExitDone, "note", "question", "One?", "--yes")
	if out := w.run(ExitDone, "undo", "--yes"); w.notes() != "-" {
		t.Fatal(out)
	}
	if out := w.run(ExitNone, "undo", "--yes"); !strings.Contains(out, "There is nothing to take back but a step back, and that one has to be named.") || w.notes() != "-" {
		t.Errorf("%s\n%s", out, w.notes())
	}
	w.run(ExitDone, "undo", "1", "--yes")
	if !strings.Contains(w.notes(), "One?") {
		t.Error(w.notes())
	}
	for _, c := range []struct {
		actions, steps int
		want           string
	}{
		{0, 0, "0 actions can be taken back: continuo undo, or a number behind it."},
		{1, 0, "1 action can be taken back: continuo undo, or its number behind it."},
		{0, 2, "2 steps back can be taken back, but only with the number: continuo undo NUMBER."},
		{5, 2, "5 actions can be taken back: continuo undo, or a number behind it. So can 2 steps back, but only with the number."},
	} {
		if got := pastSum(c.actions, c.steps); got != c.want {
			t.Errorf("%d, %d: %s", c.actions, c.steps, got)
		}
	}
}
