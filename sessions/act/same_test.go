package act_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// twice returns three ops. The first and the last write the same file.
func (b *bench) twice(was string) []change.Op {
	first := change.Op{Verb: change.Replace, Dir: b.dir, Name: "index", Lock: ".lock", Before: []byte(was), Text: []byte("first"), Mode: 0o640, Chmod: 0o600}
	if was == "" {
		first.Verb, first.Before, first.Mode, first.Chmod = change.Make, nil, 0o600, 0
	}
	page := change.Op{Verb: change.Make, Dir: b.dir, Name: "page", Lock: ".lock", Text: []byte("page"), Mode: 0o600}
	last := change.Op{Verb: change.Replace, Dir: b.dir, Name: "index", Lock: ".lock", Before: []byte("first"), Text: []byte("last"), Mode: 0o600, Chmod: 0o600}
	return []change.Op{first, page, last}
}

// TestSameFile: two ops write the same file. The undo needs one op.
func TestSameFile(t *testing.T) {
	t.Parallel()
	for _, was := range []string{"", "was"} {
		b := newBench(t)
		if was != "" {
			b.write(t, "index", was)
		}
		before := b.tree(t)
		done, err := b.do(t, b.twice(was)...)
		if err != nil || b.tree(t) != "index: last\npage: page" {
			t.Fatalf("%v\n%s", err, b.tree(t))
		}
		back, err := b.undo(t, done.ID)
		if err != nil || len(back.Ops) != 2 || back.Ops[0].Name != "index" || b.tree(t) != before {
			t.Errorf("%v, %+v\n%s", err, back.Ops, b.tree(t))
		}
		if e := b.entry(t, done.ID); e.Undone != back.ID {
			t.Errorf("%+v", e)
		}
		again, err := b.undo(t, back.ID)
		if err != nil || len(again.Ops) != 2 || again.Ops[0].Name != "page" || b.tree(t) != "index: last\npage: page" {
			t.Errorf("%v, %+v\n%s", err, again.Ops, b.tree(t))
		}
	}
}

// TestSameFileKilled: the change is killed at each step.
func TestSameFileKilled(t *testing.T) {
	t.Parallel()
	for _, was := range []string{"", "was"} {
		for nth, killed := 0, true; killed; nth++ {
			b := newBench(t)
			if was != "" {
				b.write(t, "index", was)
			}
			before, n := b.tree(t), 0
			b.store.Step = func(string, string) error {
				if n++; n > nth {
					panic("killed")
				}
				return nil
			}
			killed = func() (killed bool) {
				defer func() { killed = recover() != nil }()
				_, err := b.do(t, b.twice(was)...)
				return err != nil
			}()
			b.store.Step = nil
			b.store.FinishInterrupted(t.Context())
			temps, _ := filepath.Glob(filepath.Join(b.dir, ".continuo-*.tmp"))
			for _, path := range temps { // a sweep keeps these files, because this process still has their locks
				_ = os.Remove(path)
			}
			list, _ := journal.Open(b.store.Journal).List(t.Context())
			switch got := b.tree(t); {
			case got == before && len(list) == 0:
			case got == "index: last\npage: page" && len(list) == 1 && list[0].Done:
			default:
				t.Errorf("%q, step %d: %+v\n%s", was, nth, list, got)
			}
		}
	}
}

// TestChmod: a Replace with Chmod replaces even a read-only file.
func TestChmod(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write(t, "staged", "theirs")
	mode := func() os.FileMode {
		fi, err := os.Stat(filepath.Join(b.dir, "staged"))
		if err != nil {
			t.Fatal(err)
		}
		return fi.Mode()
	}
	if err := os.Chmod(filepath.Join(b.dir, "staged"), 0o444); err != nil {
		t.Fatal(err)
	}
	o := change.Op{Verb: change.Replace, Dir: b.dir, Name: "staged", Before: []byte("theirs"), Text: []byte("ours"), Mode: 0o444, Chmod: 0o600}
	done, err := b.do(t, o)
	if err != nil || b.tree(t) != "staged: ours" || mode() != 0o600 {
		t.Errorf("%v, %v\n%s", err, mode(), b.tree(t))
	}
	back, err := b.undo(t, done.ID)
	if err != nil || b.tree(t) != "staged: theirs" || mode() != 0o444 {
		t.Errorf("undone: %v, %v\n%s", err, mode(), b.tree(t))
	}
	if _, err := b.undo(t, back.ID); err != nil || b.tree(t) != "staged: ours" || mode() != 0o600 {
		t.Errorf("done again: %v, %v\n%s", err, mode(), b.tree(t))
	}
}

// TestMakeTaken: an existing file stays, even one with the same text.
func TestMakeTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := change.Op{Verb: change.Make, Dir: b.dir, Name: "page", Text: []byte("page"), Mode: 0o600}
	if _, err := b.do(t, page); err != nil {
		t.Fatal(err)
	}
	_, err := b.do(t, page)
	if _, taken := errors.AsType[*change.TakenError](err); !taken || b.tree(t) != "page: page" {
		t.Errorf("%v\n%s", err, b.tree(t))
	}
	for _, want := range []string{"page: page\npage-2: page", "page: page\npage-2: page\npage-3: page"} {
		numbered := page
		numbered.Next = "page"
		if done, err := b.do(t, numbered); err != nil || b.tree(t) != want || len(b.entry(t, done.ID).Ops) != 1 {
			t.Errorf("%v\n%s", err, b.tree(t))
		}
	}

	// Another program creates the file just before the rename.
	b = newBench(t)
	page.Dir = b.dir
	b.store.Step = func(step, name string) error {
		if step == "rename" && name == "page" {
			b.write(t, "page", "page")
		}
		return nil
	}
	_, err = b.do(t, page)
	if _, taken := errors.AsType[*change.TakenError](err); !taken || b.tree(t) != "page: page" {
		t.Errorf("%v\n%s", err, b.tree(t))
	}
}

// TestWrittenMeanwhile: another program writes after Do has planned. Do plans again if no op was carried out.
func TestWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write(t, "index", "was")
	asked := 0
	plan := func(context.Context) (change.Change, error) {
		now, err := os.ReadFile(filepath.Join(b.dir, "index"))
		if asked++; asked == 2 { // under the locks
			b.write(t, "index", "theirs")
		}
		o := change.Op{Verb: change.Replace, Dir: b.dir, Name: "index", Before: now, Text: append(slices.Clone(now), " and ours"...), Loose: true}
		return change.Change{Kind: "note", Ops: []change.Op{o}}, err
	}
	shown, err := plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Do(t.Context(), &shown, plan); err != nil || asked != 3 || b.tree(t) != "index: theirs and ours" {
		t.Errorf("%v, asked %d times\n%s", err, asked, b.tree(t))
	}

	// The first op was carried out, so Do can't plan again and undoes it.
	b = newBench(t)
	b.write(t, "index", "was")
	b.store.Step = func(step, name string) error {
		if step == "rename" && name == "page" {
			b.write(t, "index", "theirs")
		}
		return nil
	}
	_, err = b.do(t, b.twice("was")...)
	half, ok := errors.AsType[*act.HalfError](err)
	if !ok || !errors.Is(err, change.ErrChanged) || len(half.Left) != 1 || !strings.HasSuffix(half.Left[0], "index") || b.tree(t) != "index: theirs" {
		t.Errorf("%v\n%s", err, b.tree(t))
	}
	if list, _ := journal.Open(b.store.Journal).List(t.Context()); len(list) != 1 || list[0].Done {
		t.Errorf("%+v", list)
	}
}
