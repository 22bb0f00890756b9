package hook

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
)

func TestDiscard(t *testing.T) {
	t.Parallel()
	discarded := func(kind, name string) string { return "Session backup discarded (" + kind + "): $R/" + name }
	for _, tt := range []struct {
		name    string
		backups []string
		markers map[string]string
		lines   []string
		left    []string
		kept    []string
	}{
		{name: "none", backups: []string{backupClear}, lines: []string{"No pending backup to discard."}, kept: []string{backupClear}},
		{
			name: "one, and another raw backup", backups: []string{backupClear, backupCompact}, markers: map[string]string{"": backupClear},
			lines: []string{discarded("legacy", backupClear)}, kept: []string{backupCompact},
		},
		{
			name: "three", backups: []string{backupClear, backupCompact, backupUnknown},
			markers: map[string]string{"": backupUnknown, "-exit": backupClear, "-compact": backupCompact},
			lines:   []string{discarded("exit", backupClear), discarded("compact", backupCompact), discarded("legacy", backupUnknown)},
		},
		{
			name: "empty, stale and valid", backups: []string{backupClear}, markers: map[string]string{"": "gone.jsonl", "-exit": "", "-compact": backupClear},
			lines: []string{"Cleaned up empty exit marker.", discarded("compact", backupClear), "Backup file not found (legacy, already cleaned up): $R/gone.jsonl"},
		},
		{
			name: "two for one backup", backups: []string{backupClear}, markers: map[string]string{"": backupClear, "-exit": backupClear},
			lines: []string{discarded("exit", backupClear), "Backup file not found (legacy, already cleaned up): $R/" + backupClear},
		},
		{
			name: "outside is left alone", backups: []string{backupClear}, markers: map[string]string{"": "$P/.git/config", "-exit": backupClear},
			lines: []string{discarded("exit", backupClear), "Marker not removed (legacy), because it does not name a raw backup of this project: $P/.git/config"}, left: []string{""},
		},
		{
			name: "with a number", backups: []string{backupClear, backupCompact}, markers: map[string]string{"-exit": backupClear, "-exit-2": backupCompact},
			lines: []string{discarded("exit", backupClear), discarded("exit", backupCompact)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := markedWorld(t, tt.backups, tt.markers)
			w.write(filepath.Join(w.project, ".git", "config"), "[core]")
			var want []string
			for _, line := range tt.lines {
				want = append(want, strings.NewReplacer("$R", w.memory("raw"), "$P", w.project).Replace(line))
			}
			if got := Discard(t.Context(), w.in("")); !slices.Equal(got, want) {
				t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if got := w.left(); !slices.Equal(got, tt.left) {
				t.Errorf("markers left: %q, want %q", got, tt.left)
			}
			if got := w.backups(); !slices.Equal(got, tt.kept) && len(got)+len(tt.kept) > 0 {
				t.Errorf("backups left: %q, want %q", got, tt.kept)
			}
			if w.read(filepath.Join(w.project, ".git", "config")) != "[core]" {
				t.Error("a file outside was touched")
			}
			w.undo()
			if got := w.backups(); len(got) != len(tt.backups) {
				t.Errorf("undone: %q of %q", got, tt.backups)
			}
		})
	}
}

func TestDiscardNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.remove(w.memory())
	if got := Discard(t.Context(), w.in("")); !slices.Equal(got, []string{msgNone}) {
		t.Errorf("without a memory: %q", got)
	}
	w.write(w.memory(), "a file")
	if got := Discard(t.Context(), w.in("")); len(got) != 1 || !strings.HasPrefix(got[0], "No backup discarded: ") {
		t.Errorf("with a file for a memory: %q", got)
	}
}

func (w *world) undo() {
	w.t.Helper()
	m, err := backup.OpenMemory(w.project)
	if err != nil {
		w.t.Fatal(err)
	}
	defer m.Close()
	entries, err := m.Trash().Entries(w.t.Context())
	if err != nil || len(entries) > 1 {
		w.t.Errorf("%d entries, %v", len(entries), err)
	}
	for _, entry := range entries {
		if err := carryOut(w.t.Context(), func(ctx context.Context) ([]change.Op, error) {
			_, ops, err := m.Trash().PutBack(ctx, entry.ID)
			return ops, err
		}); err != nil {
			w.t.Error(err)
		}
	}
}

// discardPlan carries out a plan without a journal.
func discardPlan(ctx context.Context, m *backup.Memory, plan *backup.DiscardPlan) error {
	if err := m.Guard(); err != nil {
		return err
	}
	return carryOut(ctx, func(ctx context.Context) ([]change.Op, error) { return m.DiscardOps(ctx, plan, noon()) })
}

func carryOut(ctx context.Context, ops func(ctx context.Context) ([]change.Op, error)) error {
	plan := func(ctx context.Context) (change.Change, error) {
		list, err := ops(ctx)
		return change.Change{Kind: "discard", What: "Did it", Ops: list, Unkept: true}, err
	}
	shown, err := plan(ctx)
	if err == nil {
		_, err = (&act.Store{Now: noon}).Do(ctx, &shown, plan)
	}
	return err
}
