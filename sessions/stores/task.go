package stores

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/task"
)

// lookTask returns the directory of the task whose newest session is active.
func lookTask(ctx context.Context, p *Place) (path, off string) {
	all, _, err := task.All(ctx, p.Project.Root)
	switch t := active(all); {
	case err != nil:
		return "", ledger.Reason(err)
	case t != nil:
		return t.Dir(), ""
	case len(all) > 0:
		return all[0].Dir(), "no task has an active session"
	}
	return "", ""
}

// active returns the first task whose newest session is active, or nil.
func active(all []*task.Task) *task.Task {
	i := slices.IndexFunc(all, func(t *task.Task) bool { return t.Newest() != nil && t.Newest().State == task.Active })
	if i < 0 {
		return nil
	}
	return all[i]
}

// task adds the ops of a checkpoint of the active task.
func (w *writer) task(ctx context.Context) (Write, error) {
	all, _, err := task.All(ctx, w.place.Project.Root)
	if err != nil {
		return Write{}, err
	}
	t := active(all)
	if t == nil {
		return Write{}, task.ErrNoSession // the session was suspended meanwhile
	}
	a := &task.Ask{Now: w.place.At, Event: task.SessionEnd, Content: task.FromHandover(w.v)}
	a.Content.Gate = "" // that of the session
	c, err := t.PlanCheckpoint(ctx, a)
	if err != nil {
		return Write{}, err
	}
	w.c.Ops = append(w.c.Ops, c.Ops...)
	r, _ := c.Report.(*task.Report) // PlanCheckpoint sets it
	saved := r.Checkpoints[0]
	back := saved.Handover()
	if r.Session.ClaudeID == w.v.Session { // the session of the task is linked to this session
		back.Session = w.v.Session
	}
	path := filepath.Join(t.Dir(), filepath.FromSlash(saved.Path()))
	return Write{Path: path, New: true, After: []byte(saved.Text()), Lost: handover.Lost(w.v, back)}, nil
}
