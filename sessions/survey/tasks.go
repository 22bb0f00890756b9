package survey

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Tasks are the tasks of a project (spec 003).
type Tasks struct {
	Root string       // root of the project
	All  []*task.Task // the task with the newest activity first
	// Foreign means that tasks/ exists but belongs to something else: no task in it has a session.
	Foreign bool
}

// TasksOf reads the tasks of a place. A project without tasks has none. The error is that of FindLedger, or of tasks/ if
// it can't be listed; files of a task that can't be read are in Task.Problem.
func TasksOf(ctx context.Context, at Place) (Tasks, error) {
	var t Tasks
	p, err := FindLedger(ctx, at)
	if err != nil {
		return t, cmp.Or(ctx.Err(), err)
	}
	t.Root = p.Root
	slugs, foreign, err := task.Slugs(p.Root)
	t.Foreign = foreign
	if err != nil && !errors.Is(err, ledger.ErrOutside) {
		return t, err
	}
	for _, slug := range slugs {
		one, err := task.Read(ctx, p.Root, slug)
		if errors.Is(err, task.ErrNone) { // removed since
			continue
		}
		if err != nil {
			return t, err
		}
		t.All = append(t.All, one)
	}
	slices.SortStableFunc(t.All, func(a, b *task.Task) int { return b.Active().Compare(a.Active()) })
	return t, nil
}

// tasks adds the tasks that aren't complete and have no active session to the needs, with the gate of the newest one and
// how to resume it.
func (l *Look) tasks(ctx context.Context, p *Project) {
	found, _ := sessions.InTime(ctx, pageLimit, func(ctx context.Context) []*task.Task {
		all, _ := TasksOf(ctx, Place{Dir: p.Dir, Ledger: ledger.Env{ProjectRoot: p.Dir}}) // without tasks, nothing needs attention
		return slices.DeleteFunc(all.All, func(t *task.Task) bool { return !t.Left() })
	})
	if len(found) == 0 {
		return
	}
	t := found[0]
	more := t.Slug + " at " + string(t.Gate())
	if how := t.Resume(); how != "" {
		more += ": " + how
	}
	p.Needs = append(p.Needs, Need{Kind: NeedTask, N: len(found), More: words.Cut(transcript.CleanLine(more), pageText)})
}

// Find returns the task with a name, or nil.
func (t *Tasks) Find(slug string) *task.Task {
	i := slices.IndexFunc(t.All, func(k *task.Task) bool { return k.Slug == slug })
	if i < 0 {
		return nil
	}
	return t.All[i]
}
