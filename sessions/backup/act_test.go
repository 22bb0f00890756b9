package backup

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// The functions below carry out plans as the commands do, but without a journal.

func closed(context.Context, string) bool { return false }

func actor(now time.Time) *act.Store {
	return &act.Store{Now: func() time.Time { return now }, Live: closed}
}

func carryOut(ctx context.Context, s *act.Store, kind journal.Kind, ops func(context.Context) ([]change.Op, error)) (act.Done, error) {
	plan := func(ctx context.Context) (change.Change, error) {
		list, err := ops(ctx)
		return change.Change{Kind: string(kind), What: "Did it", Ops: list, Unkept: true}, err
	}
	shown, err := plan(ctx)
	if err != nil {
		return act.Done{}, err
	}
	return s.Do(ctx, &shown, plan)
}

// Discard carries out the plan and returns the new trash entry.
func (m *Memory) Discard(ctx context.Context, plan DiscardPlan, now time.Time) (TrashEntry, error) {
	done, err := m.discardBy(ctx, actor(now), plan)
	if err != nil || len(done.Ops) == 0 {
		return TrashEntry{}, err
	}
	return m.Trash().readEntry(EntryOf(done.Ops[0].Name))
}

func (m *Memory) discardBy(ctx context.Context, s *act.Store, plan DiscardPlan) (act.Done, error) {
	if plan.Empty() {
		return act.Done{}, nil
	}
	if err := m.Guard(); err != nil {
		return act.Done{}, err
	}
	return carryOut(ctx, s, journal.Kind(plan.Kind), func(ctx context.Context) ([]change.Op, error) {
		return m.DiscardOps(ctx, &plan, s.Now())
	})
}

// Undo undoes an entry of the trash. The markers of the result have their names after the undo.
func (m *Memory) Undo(ctx context.Context, id string) (Undone, error) {
	return m.undoBy(ctx, actor(time.Now()), id)
}

func (m *Memory) undoBy(ctx context.Context, s *act.Store, id string) (u Undone, err error) {
	done, err := carryOut(ctx, s, journal.Undo, func(ctx context.Context) (ops []change.Op, err error) {
		u, ops, err = m.Trash().PutBack(ctx, id)
		return ops, err
	})
	next := 0
	for _, o := range done.Ops {
		if o.Verb == change.Make {
			for u.Markers[next].Text != string(o.Text) {
				next++
			}
			u.Markers[next].Name = o.Name
			next++
		}
	}
	return u, err
}

// EmptyTrash carries out the plan. Entries of the result are completely deleted.
func (m *Memory) EmptyTrash(ctx context.Context, plan Emptied) (Emptied, error) {
	return m.emptyBy(ctx, actor(time.Now()), plan)
}

func (m *Memory) emptyBy(ctx context.Context, s *act.Store, plan Emptied) (e Emptied, err error) {
	done, err := carryOut(ctx, s, journal.EmptyTrash, func(ctx context.Context) ([]change.Op, error) { return m.Trash().EmptyOps(ctx, &plan) })
	if err != nil {
		return e, err
	}
	for _, o := range done.Ops {
		if !o.Quiet {
			e.Files++
			e.Bytes += o.Bytes
		}
		for i := range plan.Entries {
			if o.Quiet && plan.Entries[i].ID == EntryOf(o.Name) {
				e.Entries = append(e.Entries, plan.Entries[i])
			}
		}
	}
	return e, nil
}

// Restore carries out the plan and returns its journal entry.
func (m *Memory) Restore(ctx context.Context, plan RestorePlan, now time.Time) (journal.Entry, error) {
	return m.restoreBy(ctx, actor(now), plan)
}

func (m *Memory) restoreBy(ctx context.Context, s *act.Store, plan RestorePlan) (journal.Entry, error) {
	done, err := carryOut(ctx, s, journal.Restore, func(ctx context.Context) ([]change.Op, error) { return m.RestoreOps(ctx, &plan) })
	return journal.Entry{ID: done.ID, Kind: journal.Restore, Ops: done.Ops, Done: err == nil}, err
}

func undoRestore(ctx context.Context, s *act.Store, e journal.Entry) error {
	plan := func(ctx context.Context) (change.Change, error) {
		c, err := s.UndoPlan(&e)(ctx)
		c.Unkept = true
		return c, err
	}
	shown, err := plan(ctx)
	if err == nil {
		_, err = s.Do(ctx, &shown, plan)
	}
	return err
}
