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

type bench struct {
	dir   string
	store *act.Store
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := benchIn(t.TempDir())
	if err := os.Mkdir(b.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

// benchIn returns a bench below home, without live sessions.
func benchIn(home string) *bench {
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &bench{dir: filepath.Join(home, "files"), store: &act.Store{
		Journal: filepath.Join(home, "journal"), Now: func() time.Time { return clock },
		Live: func(context.Context, string) bool { return false },
		Run:  func(context.Context, *change.Op) error { return nil },
	}}
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

// tree lists files and directories, one per line: "dir/" or "name: text".
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

// move returns an op that moves a file as it is now.
func (b *bench) move(t *testing.T, from, to string) change.Op {
	t.Helper()
	fi, err := os.Stat(filepath.Join(b.dir, from))
	if err != nil {
		t.Fatal(err)
	}
	return change.Op{Verb: change.Move, Dir: b.dir, Name: from, To: to, Bytes: fi.Size(), Modified: fi.ModTime(), DirMode: 0o755}
}

func (b *bench) copy(t *testing.T, from, to string) change.Op {
	t.Helper()
	o := b.move(t, from, "x")
	return change.Op{Verb: change.Make, Dir: b.dir, Name: to, From: filepath.Join(b.dir, from), Bytes: o.Bytes, Modified: o.Modified, Mode: 0o640, DirMode: 0o755, Session: "s"}
}

// do carries out ops. The second plan has the same ops.
func (b *bench) do(t *testing.T, ops ...change.Op) (act.Done, error) {
	t.Helper()
	c := change.Change{Kind: "note", What: "Noted it", Where: []string{b.dir}, Ops: ops}
	return b.store.Do(t.Context(), &c, func(context.Context) (change.Change, error) {
		again := c
		again.Ops = slices.Clone(ops)
		return again, nil
	})
}

func (b *bench) entry(t *testing.T, id string) *journal.Entry {
	t.Helper()
	list, problems := journal.Open(b.store.Journal).List(t.Context())
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.ID == id })
	if i < 0 || len(problems) > 0 {
		t.Fatalf("no entry %q in %v, %v", id, list, problems)
	}
	return &list[i]
}

func (b *bench) undo(t *testing.T, id string) (act.Done, error) {
	t.Helper()
	e := b.entry(t, id)
	w, err := b.store.Undo(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return b.store.Do(t.Context(), &w.Change, b.store.UndoPlan(e))
}

// fill writes the files for every.
func (b *bench) fill(t *testing.T) {
	t.Helper()
	for name, text := range map[string]string{
		"raw/a": "aaa", "notes": "one\ntwo\n", "whole": "old", "gone": "bye", "from": "copied", "second": "copied", "taken": "other", "cut": "x\ny\nz\n",
		"index": "was",
	} {
		b.write(t, name, text)
	}
}

// every returns ops for the files of fill. Each verb that can be undone occurs.
func (b *bench) every(t *testing.T) []change.Op {
	t.Helper()
	op := func(verb change.Verb, name, text string) change.Op {
		return change.Op{Verb: verb, Dir: b.dir, Name: name, Text: []byte(text), Lock: ".lock", Mode: 0o640}
	}
	moved := b.move(t, "raw/a", "trash/1/raw/a")
	moved.Empty = []string{"raw"}
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
	copied, deeper, taken := b.copy(t, "from", "deep/copy"), b.copy(t, "from", "deep/er/copy"), b.copy(t, "from", "taken")
	copied.Time, taken.Next = time.Unix(1e9, 0), "taken"
	second := b.copy(t, "from", "second")
	second.Verb, second.Sum = change.Remove, change.Sum([]byte("copied"))
	index, again := op(change.Replace, "index", "first"), op(change.Replace, "index", "last")
	index.Before, index.Chmod, again.Before = []byte("was"), 0o600, []byte("first")
	return []change.Op{op(change.Make, "trash/1/deed", "{}"), moved, insert, index, fresh, whole, gone, cut, copied, deeper, taken, second, again}
}

// everyAfter is the output of tree after the ops of every.
const everyAfter = `cut: x
z

deep/
deep/copy: copied
deep/er/
deep/er/copy: copied
from: copied
index: last
new/
new/notes: first

notes: one
1.5
two

taken: other
taken-2: copied
trash/
trash/1/
trash/1/deed: {}
trash/1/raw/
trash/1/raw/a: aaa
whole: new`

// difference compares two outputs of tree. Lines only in got have "+", lines only in want "-".
func difference(got, want string) string {
	n := map[string]int{}
	for line := range strings.SplitSeq(got, "\n") {
		n[line]++
	}
	for line := range strings.SplitSeq(want, "\n") {
		n[line]--
	}
	var lines []string
	for line, n := range n {
		if n != 0 {
			lines = append(lines, string("- +"[1+n/max(n, -n)])+" "+line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestEveryVerb: undo restores every byte. The undo of the undo repeats the change.
func TestEveryVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fill(t)
	ops := b.every(t)
	before := b.tree(t)
	done, err := b.do(t, ops...)
	if err != nil || done.Lost != nil {
		t.Fatal(err, done.Lost)
	}
	after := b.tree(t)
	if is := difference(after, everyAfter); is != "" {
		t.Errorf("after:\n%s", is)
	}
	if fi, err := os.Stat(filepath.Join(b.dir, "deep/copy")); err != nil || fi.ModTime().Unix() != 1e9 {
		t.Errorf("time of the copy: %v, %v", fi.ModTime(), err)
	}
	if fi, err := os.Stat(filepath.Join(b.dir, "notes")); err != nil || fi.Mode() != 0o640 {
		t.Errorf("mode of the existing file: %v, %v", fi.Mode(), err)
	}
	plan, err := b.store.UndoPlan(b.entry(t, done.ID))(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.store.MayRead = func(int64) bool { return false }
	exact, err := b.store.UndoPlan(b.entry(t, done.ID))(t.Context())
	if b.store.MayRead = nil; err != nil || !change.Same(&plan, &exact) {
		t.Errorf("Do used the estimated plan: %v\n%+v", err, exact)
	}
	back, err := b.undo(t, done.ID)
	if err != nil {
		t.Fatal(err)
	}
	if is := difference(b.tree(t), before); is != "" {
		t.Errorf("undone:\n%s", is)
	}
	if _, err := b.undo(t, back.ID); err != nil {
		t.Fatal(err)
	}
	if is := difference(b.tree(t), after); is != "" {
		t.Errorf("done again:\n%s", is)
	}
	if again, err := b.undo(t, done.ID); err != nil || len(again.Ops) == 0 {
		t.Errorf("the first entry can be undone twice: %v, %v", again, err)
	}
}

func TestEmptyFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string // earlier text of the file; "none" if it doesn't exist
		op    change.Op
		after string
	}{
		{"none", change.Op{Verb: change.Make, Mode: 0o640}, "file: "},
		{"", change.Op{Verb: change.Insert, Text: []byte("x"), Was: change.Sum([]byte{})}, "file: x"},
		{"", change.Op{Verb: change.Replace, Text: []byte("x")}, "file: x"},
		{"x", change.Op{Verb: change.Replace, Before: []byte("x")}, "file: "},
		{"x", change.Op{Verb: change.Cut, Text: []byte("x"), Mode: 0o640}, "file: "},
		{"", change.Op{Verb: change.Remove, Sum: change.Sum([]byte{}), Mode: 0o640}, ""},
	} {
		b := newBench(t)
		if test.text != "none" {
			b.write(t, "file", test.text)
		}
		before := b.tree(t)
		test.op.Dir, test.op.Name = b.dir, "file"
		done, err := b.do(t, test.op)
		for i, want := range []string{test.after, before, test.after} {
			if i > 0 && err == nil {
				done, err = b.undo(t, done.ID)
			}
			if got := b.tree(t); err != nil || got != want {
				t.Errorf("%s %q, %d times undone: %v\n%s\nwant:\n%s", test.op.Verb, test.text, i, err, got, want)
			}
		}
	}
}

func TestFailedStep(t *testing.T) {
	t.Parallel()
	for name := range map[string]bool{"create": true, "write": true, "sync": true, "rename": true, "remove": true, "sync directory": true} {
		for nth := range 40 {
			b := newBench(t)
			b.fill(t)
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
				continue // only an empty directory or a temporary file couldn't be removed
			}
			if is := difference(b.tree(t), before); is != "" || !strings.Contains(err.Error(), b.dir) {
				t.Errorf("%s %d: %v\n%s", name, nth, err, is)
			}
			if list, _ := journal.Open(b.store.Journal).List(t.Context()); len(list) > 0 {
				t.Errorf("%s %d: %v left in the journal, done %v", name, nth, list, done)
			}
		}
	}
}
