package browse

import (
	"context"
	"errors"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/snapshots"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// Tasks implements tui.Tasks.
type Tasks struct{ Env *place.Env }

// tasksLimit is the time limit for reading a project's tasks. A mount may be dead.
const tasksLimit = 10 * time.Second

// Counts implements tui.Tasks.
func (b Tasks) Counts(ctx context.Context, dirs []string) map[string]int {
	counts := map[string]int{}
	for _, dir := range dirs {
		p, err := survey.FindLedger(ctx, b.Env.LookFrom(dir))
		if err != nil {
			continue
		}
		if slugs, _, err := task.Slugs(p.Root); err == nil && len(slugs) > 0 {
			counts[dir] = len(slugs)
		}
	}
	return counts
}

// Snapshot implements tui.Tasks. It returns nil for an unreadable snapshot; the Documents tab says why.
func (b Tasks) Snapshot(ctx context.Context, root string) *tui.TaskSnapshot {
	limited, cancel := context.WithTimeout(ctx, tasksLimit)
	defer cancel()
	s, err := snapshot.Read(limited, root)
	if err != nil {
		return nil
	}
	return &tui.TaskSnapshot{Snapshot: s, Drift: snapshots.DriftOf(limited, b.Env, root, s)}
}

// Tasks implements tui.Tasks.
func (b Tasks) Tasks(ctx context.Context, dir string) (survey.Tasks, error) {
	limited, cancel := context.WithTimeout(ctx, tasksLimit)
	defer cancel()
	t, err := survey.TasksOf(limited, b.Env.LookFrom(dir))
	if errors.Is(err, context.DeadlineExceeded) {
		return t, errors.New("reading tasks/ took too long")
	}
	if err != nil && ctx.Err() == nil {
		err = inBrowser(place.LookFailure(b.Env, dir, err))
	}
	return t, err
}
