package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// small is a file system with little space, where the machine lets us have one.
func small(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("no full disk was tried: nothing may be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill takes all but n units of a file system: blocks, or files.
func fill(t *testing.T, dir, what string, n int) {
	t.Helper()
	var made []string
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf("fill-%d", i))
		var text []byte
		if what == "blocks" {
			text = make([]byte, 4096)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			_ = os.Remove(name)
			break
		}
		made = append(made, name)
	}
	for _, name := range made[max(0, len(made)-n):] {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// Where the disk is full each deed is done whole or not at all, and can be taken back on the full disk.
func TestTrashWithoutSpace(t *testing.T) {
	t.Parallel()
	deeds := []struct {
		name string
		do   func(ctx context.Context, w world) (Deed, error)
	}{
		{"discard", func(ctx context.Context, w world) (Deed, error) {
			return w.m.Discard(ctx, w.plan(), at(w.t, trashNow))
		}},
		{"prune", func(ctx context.Context, w world) (Deed, error) {
			p, err := w.m.PlanPrune(ctx, PruneRule{Keep: 1, Before: at(w.t, trashNow), Only: true})
			if err != nil {
				return Deed{}, err
			}
			return w.m.Discard(ctx, p, at(w.t, trashNow))
		}},
		{"restore", func(ctx context.Context, w world) (Deed, error) {
			return w.m.Restore(ctx, w.restorePlan(w.memory("raw/20260101_000000Z_exit.jsonl")), at(w.t, trashNow))
		}},
	}
	for _, c := range deeds {
		for what, options := range map[string]string{"blocks": "size=256k", "files": "nr_inodes=60"} {
			t.Run(c.name+" "+what, func(t *testing.T) {
				t.Parallel()
				failed, done := 0, 0
				for n := range 9 {
					dir := small(t, options)
					w := worldIn(t, dir)
					w.backup("raw/20260301_000000Z_exit.jsonl", idTwo, "c")
					b := w.backup("sessions/raw/20260201_000000Z_exit.jsonl", idTwo, "b")
					a := w.backup("raw/20260101_000000Z_exit.jsonl", idOne, strings.Repeat("a", 9000))
					if c.name != "prune" {
						w.mark(".pending-backup", a)
						w.mark(".pending-backup-exit", b)
					}
					memory, projects := w.tree(), tree(t, w.projects)
					fill(t, dir, what, n)
					d, err := c.do(t.Context(), w)
					if err != nil {
						failed++
						if !errors.Is(err, syscall.ENOSPC) || d.ID != "" {
							t.Errorf("%d free: deed %+v, error %v", n, d, err)
						}
					} else {
						done++
						if _, err := w.m.Undo(t.Context(), d.ID, w.client); err != nil {
							if !errors.Is(err, syscall.ENOSPC) {
								t.Errorf("%d free: undo: %v", n, err)
							}
							unfill(t, dir)
							if _, err := w.m.Undo(t.Context(), d.ID, w.client); err != nil {
								t.Errorf("%d free: undo again: %v", n, err)
							}
						}
					}
					same(t, fmt.Sprintf("memory, %d free", n), w.tree(), memory)
					same(t, fmt.Sprintf("projects, %d free", n), tree(t, w.projects), projects)
				}
				if failed == 0 || done == 0 {
					t.Errorf("%d failed and %d were done: it is no drill", failed, done)
				}
			})
		}
	}
}

// unfill takes away what fill made.
func unfill(t *testing.T, dir string) {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(dir, "fill-*"))
	for _, name := range made {
		err = errors.Join(err, os.Remove(name))
	}
	if err != nil {
		t.Fatal(err)
	}
}
