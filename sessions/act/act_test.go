package act_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// bench is a directory of files, and a journal beside it.
type bench struct {
	dir   string
	store *act.Store
}

func newBench(t *testing.T) *bench {
	t.Helper()
	home := t.TempDir()
	b := &bench{dir: filepath.Join(home, "files")}
	if err := os.Mkdir(b.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b.store = &act.Store{Journal: filepath.Join(home, "journal"), Now: func() time.Time { return clock }}
	return b
}

func (b *bench) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// tree returns every file with its text, a line each.
func (b *bench) tree(t *testing.T) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(b.dir, path)
		if err != nil || name == "." || strings.HasPrefix(d.Name(), ".lock") {
			return err
		}
		if d.IsDir() {
			all = append(all, name+"/")
			return nil
		}
		text, err := os.ReadFile(path)
		all = append(all, name+": "+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

// move returns the op that moves a file, as it is.
func (b *bench) move(t *testing.T, from, to string) change.Op {
	t.Helper()
	fi, err := os.Stat(filepath.Join(b.dir, from))
	if err != nil {
		t.Fatal(err)
	}
	return change.Op{Verb: change.Move, Dir: b.dir, Name: from, To: to, Bytes: fi.Size(), Modified: fi.ModTime(), DirMode: 0o700}
}

// copy returns the op that copies a file.
func (b *bench) copy(t *testing.T, from, to string) change.Op {
	t.Helper()
	o := b.move(t, from, "x")
	return change.Op{Verb: change.Make, Dir: b.dir, Name: to, From: filepath.Join(b.dir, from), Bytes: o.Bytes, Modified: o.Modified, Mode: 0o600, Session: "s"}
}

// do carries out ops that are planned once.
func (b *bench) do(t *testing.T, ops ...change.Op) (act.Done, error) {
	t.Helper()
	c := change.Change{Kind: "note", What: "Noted it", Where: []string{b.dir}, Ops: ops}
	return b.store.Do(t.Context(), &c, func(context.Context) (change.Change, error) {
		again := c
		again.Ops = slices.Clone(ops)
		return again, nil
	})
}

// entry returns the entry with an id.
func (b *bench) entry(t *testing.T, id string) *journal.Entry {
	t.Helper()
	list, problems := journal.Open(b.store.Journal).List(t.Context())
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.ID == id })
	if i < 0 || len(problems) > 0 {
		t.Fatalf("no entry %q in %v, %v", id, list, problems)
	}
	return &list[i]
}

// undo undoes an action.
func (b *bench) undo(t *testing.T, id string) (act.Done, error) {
	t.Helper()
	e := b.entry(t, id)
	w, err := b.store.Undo(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return b.store.Do(t.Context(), &w.Change, b.store.UndoPlan(e))
}

// every returns one op of each verb that can be undone, on files that it writes.
func (b *bench) every(t *testing.T) []change.Op {
	t.Helper()
	for name, text := range map[string]string{"raw/a": "aaa", "notes": "one\ntwo\n", "whole": "old", "gone": "bye", "from": "copied", "cut": "x\ny\nz\n"} {
		b.write(t, name, text)
	}
	op := func(verb change.Verb, name, text string) change.Op {
		return change.Op{Verb: verb, Dir: b.dir, Name: name, Text: []byte(text), Lock: ".lock", Mode: 0o600}
	}
	insert := op(change.Insert, "notes", "1.5\n")
	insert.At, insert.Was, insert.Hidden = 4, change.Sum([]byte("one\ntwo\n")), true
	fresh := op(change.Insert, "new/notes", "first\n")
	fresh.New = true
	whole := op(change.Replace, "whole", "new")
	whole.Before = []byte("old")
	gone := op(change.Remove, "gone", "bye")
	gone.Sum = change.Sum(gone.Text)
	cut := op(change.Cut, "cut", "y\n")
	cut.At = 2
	copied := b.copy(t, "from", "deep/er/copy")
	copied.Time = time.Unix(1e9, 0)
	return []change.Op{op(change.Make, "trash/1/deed", "{}"), b.move(t, "raw/a", "trash/1/raw/a"), insert, fresh, whole, gone, cut, copied}
}

// Every verb does what it says; its undo brings back every byte, and the undo of that does it again.
func TestEveryVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.Live = func(context.Context, string) bool { return false }
	ops := b.every(t)
	before := b.tree(t)
	done, err := b.do(t, ops...)
	if err != nil || done.Lost != nil {
		t.Fatal(err, done.Lost)
	}
	want := `cut: x
z

deep/
deep/er/
deep/er/copy: copied
from: copied
new/
new/notes: first

notes: one
1.5
two

raw/
trash/
trash/1/
trash/1/deed: {}
trash/1/raw/
trash/1/raw/a: aaa
whole: new`
	after := b.tree(t)
	if after != want {
		t.Errorf("after:\n%s", after)
	}
	if fi, err := os.Stat(filepath.Join(b.dir, "deep/er/copy")); err != nil || fi.ModTime().Unix() != 1e9 {
		t.Errorf("time of the copy: %v, %v", fi.ModTime(), err)
	}
	if fi, err := os.Stat(filepath.Join(b.dir, "notes")); err != nil || fi.Mode() != 0o640 {
		t.Errorf("mode of what was there: %v, %v", fi.Mode(), err)
	}
	back, err := b.undo(t, done.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.tree(t); got != before {
		t.Errorf("undone:\n%s\nwant:\n%s", got, before)
	}
	if _, err := b.undo(t, back.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.tree(t); got != after {
		t.Errorf("done again:\n%s\nwant:\n%s", got, after)
	}
	if again, err := b.undo(t, done.ID); err != nil || len(again.Ops) == 0 {
		t.Errorf("the first entry undoes it once more: %v, %v", again, err)
	}
}

// Where one step fails, the steps before it are taken back, and the journal has no entry.
func TestFailedStep(t *testing.T) {
	t.Parallel()
	for name := range map[string]bool{"create": true, "write": true, "sync": true, "rename": true, "remove": true} {
		for nth := range 40 {
			b := newBench(t)
			b.store.Live = func(context.Context, string) bool { return false }
			ops := b.every(t)
			before := b.tree(t)
			n, failed := 0, false
			b.store.Step = func(step, _ string) error {
				if step != name {
					return nil
				}
				if n++; n == nth+1 {
					failed = true
					return errors.New("full")
				}
				return nil
			}
			done, err := b.do(t, ops...)
			if !failed {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if err == nil && name != "remove" {
				t.Errorf("%s %d: no error", name, nth)
			}
			if err == nil {
				continue // what remained is an empty directory, or goes with the next sweep
			}
			if got := b.tree(t); got != before {
				t.Errorf("%s %d: %v\n%s\nwant:\n%s", name, nth, err, got, before)
			}
			if list, _ := journal.Open(b.store.Journal).List(t.Context()); len(list) > 0 {
				t.Errorf("%s %d: %v left in the journal, done %v", name, nth, list, done)
			}
		}
	}
}
