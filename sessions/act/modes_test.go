package act_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
)

// mode returns the mode of a file, or 0 without the file.
func (b *bench) mode(name string) fs.FileMode {
	fi, err := os.Stat(filepath.Join(b.dir, name))
	if err != nil {
		return 0
	}
	return fi.Mode().Perm()
}

// TestMoveStays: a file can't leave a read-only directory. No second link is left.
func TestMoveStays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write(t, "kept/a", "a")
	b.write(t, "other", "other")
	kept := filepath.Join(b.dir, "kept")
	if err := os.Chmod(kept, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(kept, 0o755); err != nil {
			t.Error(err)
		}
	})
	if f, err := os.Create(filepath.Join(kept, "b")); err == nil {
		t.Skip("permissions have no effect here:", f.Close())
	}
	before := b.tree(t)
	_, err := b.do(t, b.move(t, "other", "moved/other"), b.move(t, "kept/a", "moved/a"))
	if _, half := errors.AsType[*act.HalfError](err); half || !errors.Is(err, fs.ErrPermission) || b.tree(t) != before || len(b.list(t)) > 0 {
		t.Errorf("%v, %v\n%s", err, b.list(t), difference(b.tree(t), before))
	}
}

// TestPermissions: a Replace changes the mode, with or without the text. Undo restores it with any umask.
func TestPermissions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, name := range []string{"alone", "both", "gone"} {
		b.write(t, name, name)
		if err := os.Chmod(filepath.Join(b.dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	op := func(verb change.Verb, name, text string) change.Op {
		return change.Op{Verb: verb, Dir: b.dir, Name: name, Before: []byte(name), Text: []byte(text), Hidden: true, Mode: 0o666, Chmod: 0o777}
	}
	gone := op(change.Remove, "gone", "gone")
	gone.Before, gone.Chmod, gone.Sum = nil, 0o666, change.Sum(gone.Text)
	modes := func() string { return fmt.Sprintf("%o %o %o", b.mode("alone"), b.mode("both"), b.mode("gone")) }
	before, after := modes(), "777 777 0"
	done, err := b.do(t, op(change.Replace, "alone", "alone"), op(change.Replace, "both", "new"), gone)
	if got := modes(); err != nil || got != after {
		t.Fatalf("%v, modes %s", err, got)
	}
	back, err := b.undo(t, done.ID)
	if got := modes(); err != nil || got != before || !strings.Contains(b.tree(t), "both: both") {
		t.Errorf("undone: %v, modes %s", err, got)
	}
	if w, err := b.store.Undo(t.Context(), b.entry(t, done.ID)); err != nil || !w.Back {
		t.Errorf("once more: %v, %+v", err, w)
	}
	if _, err = b.undo(t, back.ID); err != nil || modes() != after {
		t.Errorf("done again: %v, modes %s", err, modes())
	}
	if err := os.Chmod(filepath.Join(b.dir, "alone"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := b.undo(t, done.ID); !errors.Is(err, change.ErrChanged) || modes() != "700 777 0" {
		t.Errorf("changed by another program: %v, modes %s", err, modes())
	}
}

func TestDeleteDirectory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write(t, "full/file", "x")
	for _, dir := range []string{"empty", "outer/inner"} {
		if err := os.MkdirAll(filepath.Join(b.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var ops []change.Op
	for _, name := range []string{"empty", "full", "outer/inner", "outer", "none"} {
		ops = append(ops, change.Op{Verb: change.Delete, Dir: b.dir, Name: name})
	}
	if _, err := b.do(t, ops...); err != nil || b.tree(t) != "full/\nfull/file: x" {
		t.Errorf("%v\n%s", err, b.tree(t))
	}
}

// TestLongBookkeeping: Quiet ops may keep larger texts in the journal.
func TestLongBookkeeping(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	b := newBench(t)
	was, now := strings.Repeat("a", 3<<20), strings.Repeat("b", 3<<20)
	b.write(t, "record", was)
	before := b.tree(t)
	o := change.Op{Verb: change.Replace, Dir: b.dir, Name: "record", Before: []byte(was), Text: []byte(now)}
	if _, err := b.do(t, o); err == nil || b.tree(t) != before {
		t.Errorf("another file: %v", err)
	}
	o.Quiet = true
	made := change.Op{Verb: change.Make, Dir: b.dir, Name: "made", Text: []byte(now), Mode: 0o600, Quiet: true}
	done, err := b.do(t, o, made)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.undo(t, done.ID); err != nil || b.tree(t) != before {
		t.Errorf("undone: %v", err)
	}
}
