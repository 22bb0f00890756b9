package backup

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

func TestPlanPrune(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/20260601_000000Z_exit.jsonl", idOne, "newest")
	s.backup("raw/20260501_000000Z_exit.jsonl", idOne, "second")
	s.backup("raw/20260401_000000Z_exit.jsonl", idOne, "old")
	pending := s.backup("raw/20260301_000000Z_exit.jsonl", idOne, "pending")
	s.backup("sessions/raw/20260201_000000Z_exit.jsonl", idTwo, "its transcript is gone")
	s.write(".claude/memory/raw/20260101_000000Z_exit.jsonl", "{}\n") // without a session ID
	s.mark(".pending-backup-exit-7", pending)
	s.mark(".pending-backup", "/elsewhere/x.jsonl")
	before := s.tree()
	relation := func(_ context.Context, b *Backup) (sessions.Relation, error) {
		if b.Pending || b.SessionID == "" {
			t.Errorf("Relation was called for %s, which stays anyway", b.Path)
		}
		if b.SessionID == idOne {
			return sessions.RelationGrown, nil
		}
		return sessions.RelationGone, nil
	}
	unread := func(context.Context, *Backup) (sessions.Relation, error) { return "", nil }
	for _, c := range []struct {
		name  string
		rule  PruneRule
		moves []string
		kept  []KeptReason
	}{
		{
			"old ones",
			PruneRule{Keep: 1, Before: at(t, "2026-05-01T00:00:00Z"), Relation: relation},
			[]string{"raw/20260401_000000Z_exit.jsonl"},
			[]KeptReason{KeptPending, KeptOnly, KeptUnknown},
		},
		{
			"never the newest",
			PruneRule{Keep: -3, Before: at(t, "2027-01-01T00:00:00Z"), Relation: relation},
			[]string{"raw/20260501_000000Z_exit.jsonl", "raw/20260401_000000Z_exit.jsonl"},
			[]KeptReason{KeptNewest, KeptPending, KeptOnly, KeptUnknown},
		},
		{
			"the newest of all",
			PruneRule{Keep: 3, Before: at(t, "2027-01-01T00:00:00Z"), Relation: relation},
			nil,
			[]KeptReason{KeptNewest, KeptNewest, KeptNewest, KeptPending, KeptOnly, KeptUnknown},
		},
		{
			"more than there are",
			PruneRule{Keep: 99, Before: at(t, "2027-01-01T00:00:00Z"), Relation: relation},
			nil,
			slices.Repeat([]KeptReason{KeptNewest}, 6),
		},
		{"nothing is so old", PruneRule{Keep: 1, Relation: relation}, nil, nil},
		{
			"only copies too",
			PruneRule{Keep: 2, Before: at(t, "2026-05-01T00:00:00Z"), Relation: relation, Only: true},
			[]string{"raw/20260401_000000Z_exit.jsonl", "sessions/raw/20260201_000000Z_exit.jsonl", "raw/20260101_000000Z_exit.jsonl"},
			[]KeptReason{KeptPending},
		},
		{
			"could not be compared",
			PruneRule{Keep: 1, Before: at(t, "2026-05-01T00:00:00Z"), Relation: unread},
			nil,
			[]KeptReason{KeptUncompared, KeptPending, KeptUncompared, KeptUnknown},
		},
		{
			"nobody knows",
			PruneRule{Keep: 2, Before: at(t, "2026-05-01T00:00:00Z")},
			nil,
			[]KeptReason{KeptOnly, KeptPending, KeptOnly, KeptUnknown},
		},
	} {
		p, err := s.m.PlanPrune(t.Context(), c.rule)
		var moves []string
		for _, v := range p.Moves {
			moves = append(moves, v.Name)
		}
		var kept []KeptReason
		for _, k := range p.Kept {
			kept = append(kept, k.Reason)
		}
		if err != nil || p.Kind != TrashPrune || !slices.Equal(moves, c.moves) || !slices.Equal(kept, c.kept) || len(p.Problems) != 1 ||
			len(p.Markers)+len(p.Cleaned) != 0 {
			t.Errorf("%s: moves %q kept %q, %v", c.name, moves, kept, err)
		}
	}
	same(t, "after planning", s.tree(), before)
	failed := errors.New("cannot be read")
	rule := PruneRule{Before: at(t, "2027-01-01T00:00:00Z"), Relation: func(context.Context, *Backup) (sessions.Relation, error) { return sessions.RelationSame, failed }}
	if _, err := s.m.PlanPrune(t.Context(), rule); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	p, err := s.m.PlanPrune(t.Context(), PruneRule{Before: at(t, "2027-01-01T00:00:00Z"), Relation: relation})
	if err != nil {
		t.Fatal(err)
	}
	d := s.discard(p)
	if d.Kind != TrashPrune || d.ID != "20261121_110213Z-prune" || len(d.Moves) != 2 || len(s.ids()) != 1 {
		t.Errorf("entry %+v", d)
	}
	s.undo("")
	same(t, "undone", s.tree(), before)
}

// TestPruneOfPending: a backup becomes pending after the plan.
func TestPruneOfPending(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/20260601_000000Z_exit.jsonl", idOne, "newest")
	old := s.backup("raw/20260401_000000Z_exit.jsonl", idOne, "old")
	p, err := s.m.PlanPrune(t.Context(), PruneRule{Before: at(t, trashNow), Only: true})
	if err != nil || len(p.Moves) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	s.mark(".pending-backup-compact-2", old)
	before := s.tree()
	if _, err := s.m.Discard(t.Context(), p, at(t, trashNow)); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v", err)
	}
	same(t, "afterwards", s.tree(), before)
}
