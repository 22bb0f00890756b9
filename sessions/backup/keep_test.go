package backup

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
)

func (s store) planKeep(paths ...string) KeepPlan {
	s.t.Helper()
	plan, err := s.m.PlanKeep(s.t.Context(), paths)
	if err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func (s store) keep(plan KeepPlan) (act.Done, error) {
	return carryOut(s.t.Context(), actor(time.Now()), "keep", func(ctx context.Context) ([]change.Op, error) { return s.m.KeepOps(ctx, &plan) })
}

// TestKeep: even markers that were written after the plan are removed.
func TestKeep(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := s.backup("raw/20260101_000000Z_exit.jsonl", idOne, "a")
	b := s.backup("sessions/raw/20260102_000000Z_compact.jsonl", idTwo, "b")
	c := s.backup("raw/20260103_000000Z_exit.jsonl", idTwo, "c")
	s.mark(".pending-backup", a+"\n")
	s.mark(".pending-backup-exit", " .claude/memory/raw/20260101_000000Z_exit.jsonl ")
	s.mark(".pending-backup-exit-2", b)
	s.mark(".pending-backup-compact", "\n")
	s.mark(".pending-backup-compact-2", s.memory("raw/gone.jsonl"))
	s.mark(".pending-backup-compact-3", "/etc/passwd")
	before := s.tree()

	plan := s.planKeep(a, c, ".claude/memory/raw/20260101_000000Z_exit.jsonl")
	var names []string
	for _, k := range plan.Markers {
		names = append(names, k.Name)
	}
	if plan.Project != s.dir || plan.Backups[0].Path != a || slices.ContainsFunc(plan.Backups, func(v Move) bool { return v.Path != a }) ||
		!slices.Equal(names, []string{".pending-backup-exit", ".pending-backup"}) {
		t.Errorf("%+v", plan)
	}
	same(t, "planned", s.tree(), before)

	s.mark(".pending-backup-exit-3", a)
	s.mark(".pending-backup-exit-4", c)
	want := maps.Clone(s.tree())
	for _, name := range []string{".pending-backup", ".pending-backup-exit", ".pending-backup-exit-3"} {
		delete(want, name)
	}
	done, err := s.keep(plan)
	if err != nil || len(done.Ops) != 3 {
		t.Errorf("%+v, %v", done, err)
	}
	same(t, "kept", s.tree(), want)
	if done, err = s.keep(plan); err != nil || len(done.Ops) != 0 {
		t.Errorf("again: %+v, %v", done, err)
	}
	if plan = s.planKeep(a); len(plan.Backups)+len(plan.Markers) != 0 {
		t.Errorf("%+v", plan)
	}
}

func TestKeepRefuses(t *testing.T) {
	t.Parallel()
	s, other := newStore(t), newStore(t)
	a := s.backup("raw/a.jsonl", idOne, "a")
	s.mark(".pending-backup", a)
	for path, want := range map[string]error{s.path("a.jsonl"): ErrNotBackup, s.memory("session-1.md"): ErrNotBackup, s.memory("raw/gone.jsonl"): fs.ErrNotExist} {
		if _, err := s.m.PlanKeep(t.Context(), []string{a, path}); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	plan := s.planKeep(a)
	if _, err := other.m.KeepOps(t.Context(), &plan); !errors.Is(err, errForeignPlan) {
		t.Error(err)
	}
	s.backup("raw/a.jsonl", idOne, "more than that")
	before := s.tree()
	if _, err := s.keep(plan); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	same(t, "changed", s.tree(), before)
}
