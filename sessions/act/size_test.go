package act_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
)

// TestLargeFile: texts are too large for the journal. A failed change is undone, but a later undo is refused.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("x", 2<<20))
	b := newBench(t)
	b.write(t, "whole", "old")
	ops := []change.Op{
		{Verb: change.Make, Dir: b.dir, Name: "new/large", Text: large, Mode: 0o600},
		{Verb: change.Replace, Dir: b.dir, Name: "whole", Before: []byte("old"), Text: large},
		{Verb: change.Make, Dir: b.dir, Name: "last", Text: []byte("x"), Mode: 0o600},
	}
	b.write(t, "last", "theirs")
	before := b.tree(t)
	_, err := b.do(t, ops...)
	if _, taken := errors.AsType[*change.TakenError](err); !taken {
		t.Error(err)
	}
	if got := b.tree(t); got != before {
		t.Errorf("%d bytes in\n%.200s", len(got), got)
	}
	done, err := b.do(t, ops[:2]...)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.store.Undo(t.Context(), b.entry(t, done.ID))
	if err != nil || len(w.Refused) != 2 || !errors.Is(w.Refused[0].Err, change.ErrTooLarge) || !errors.Is(w.Refused[1].Err, change.ErrTooLarge) {
		t.Errorf("%d refused, %v", len(w.Refused), err)
	}
}
