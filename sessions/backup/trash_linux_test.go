package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
)

// TestTrashWithoutSpace: an action on a full disk is done completely or not at all.
func TestTrashWithoutSpace(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, trashWithoutSpace)
}

func trashWithoutSpace(t *testing.T) {
	entries := []struct {
		name string
		do   func(ctx context.Context, w world) (undo func() error, err error)
	}{
		{"discard", func(ctx context.Context, w world) (undo func() error, err error) {
			return w.discardUndo(ctx, w.plan())
		}},
		{"prune", func(ctx context.Context, w world) (undo func() error, err error) {
			p, err := w.m.PlanPrune(ctx, PruneRule{Keep: 1, Before: at(w.t, trashNow), Only: true})
			if err != nil {
				return nil, err
			}
			return w.discardUndo(ctx, p)
		}},
		{"restore", func(ctx context.Context, w world) (undo func() error, err error) {
			e, err := w.m.Restore(ctx, w.restorePlan(w.memory("raw/20260101_000000Z_exit.jsonl")), at(w.t, trashNow))
			return func() error { return w.undoRestore(e) }, err
		}},
	}
	for _, c := range entries {
		for options, size := range map[string]int{"size=256k": 4096, "nr_inodes=60": 0} { // no free blocks, or no free inodes
			t.Run(c.name+" "+options, func(t *testing.T) {
				t.Parallel()
				failed, done := 0, 0
				for n := range 9 {
					dir := t.TempDir()
					drilltest.Mount(t, dir, options)
					w := worldIn(t, dir)
					w.backup("raw/20260301_000000Z_exit.jsonl", idTwo, "c")
					b := w.backup("sessions/raw/20260201_000000Z_exit.jsonl", idTwo, "b")
					a := w.backup("raw/20260101_000000Z_exit.jsonl", idOne, strings.Repeat("a", 9000))
					if c.name != "prune" {
						w.mark(".pending-backup", a)
						w.mark(".pending-backup-exit", b)
					}
					memory, projects := w.tree(), tree(t, w.projects)
					empty := drilltest.Fill(t, dir, size, n)
					if undo, err := c.do(t.Context(), w); err != nil {
						failed++
						wantFull(t, n, err)
					} else {
						done++
						after, made := w.tree(), tree(t, w.projects)
						if err := undo(); err != nil {
							wantFull(t, n, err)
							same(t, fmt.Sprintf("memory not undone, %d free", n), w.tree(), after)
							same(t, fmt.Sprintf("projects not undone, %d free", n), tree(t, w.projects), made)
							empty()
							if err := undo(); err != nil {
								t.Errorf("%d free: undo again: %v", n, err)
							}
						}
					}
					same(t, fmt.Sprintf("memory, %d free", n), w.tree(), memory)
					same(t, fmt.Sprintf("projects, %d free", n), tree(t, w.projects), projects)
				}
				if failed == 0 || done == 0 {
					t.Errorf("%d failed and %d succeeded: want both", failed, done)
				}
			})
		}
	}
}

// discardUndo carries out a discard and returns its undo.
func (w world) discardUndo(ctx context.Context, p DiscardPlan) (undo func() error, err error) {
	d, err := w.m.Discard(ctx, p, at(w.t, trashNow))
	return func() error { _, err := w.m.Undo(ctx, d.ID); return err }, err
}

func wantFull(t *testing.T, free int, err error) {
	t.Helper()
	if _, half := errors.AsType[*act.HalfError](err); half || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%d free: %v", free, err)
	}
}
