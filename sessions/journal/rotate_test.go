package journal

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// TestAllBack: 20 actions are undone one after the other. No undo deletes an entry that is still needed.
func TestAllBack(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i := range Most {
		e := begin(t, s, Entry{At: at(i), Kind: Handover, What: fmt.Sprint(i)})
		e.Done = true
		if err := s.Finish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for i := range Most {
		have := list(t, s)
		at0 := slices.IndexFunc(have, func(e Entry) bool { return e.Kind == Handover && e.Undone == "" })
		if at0 < 0 || have[at0].What != fmt.Sprint(Most-1-i) {
			t.Fatalf("step %d: %d of %+v", i, at0, have)
		}
		of := have[at0]
		undo := begin(t, s, Entry{At: at(Most + i), Kind: Undo, Of: of.ID})
		of.Undone, undo.Done = undo.ID, true
		for _, e := range []Entry{of, undo} {
			if err := s.Finish(t.Context(), e); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		names, err := os.ReadDir(s.dir)
		if err != nil || len(names) > Most+1 || len(list(t, s)) > Most {
			t.Fatalf("step %d: %d files, %v", i, len(names), err)
		}
	}
}

func TestLater(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	year := 365 * 24 * time.Hour
	for i := range 5 {
		begin(t, s, Entry{At: at(i).Add(year), Kind: Handover, What: "later"})
	}
	for i := range Most {
		begin(t, s, Entry{At: at(i), Kind: Handover, What: fmt.Sprint(i)})
	}
	have := list(t, s)
	if len(have) != Most || slices.ContainsFunc(have, func(e Entry) bool { return e.What == "later" }) || have[Most-1].What != "0" {
		t.Errorf("%+v", have)
	}
}

// TestExpired: the undone entry is the oldest of more than 20, but stays.
func TestExpired(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first := begin(t, s, Entry{At: at(0), Kind: Handover})
	for i := range Most - 1 {
		begin(t, s, Entry{At: at(1 + i), Kind: Undo, Of: "20261121_100000Z-handover"})
	}
	begin(t, s, Entry{At: at(Most), Kind: Undo, Of: first.ID})
	if err := s.Finish(t.Context(), first); err != nil {
		t.Error(err)
	}
	for i := range Most {
		begin(t, s, Entry{At: at(Most + 1 + i), Kind: Undo, Of: "20261121_100000Z-handover"})
	}
	if have := list(t, s); have[len(have)-1].ID != first.ID {
		t.Errorf("%+v", have)
	}
}
