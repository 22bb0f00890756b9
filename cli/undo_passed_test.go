package cli

import (
	"os"
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
