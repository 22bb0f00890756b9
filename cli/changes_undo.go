package cli

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// planUndo plans to take an action back.
func (c browserChanges) planUndo(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Undo"
	l, err := lookPast(ctx, c.env, c.o, c.dirs)
	if err != nil {
		return nil, err
	}
	var w *wayBack
	if id := plan.Change.Past; id == "" {
		scope, nothing := undoScope{all: true}, "There is nothing to take back."
		if dir := plan.Change.Dir; dir != "" {
			scope, nothing = scopeOfUndo(ctx, c.env, dir), "There is nothing to take back in this project."
		}
		if w, err = l.newest(ctx, &scope); err == nil && w == nil {
			err = &out.Failure{Code: out.ExitNone, What: nothing}
		}
	} else {
		i := slices.IndexFunc(l.entries, func(e journal.Entry) bool { return e.ID == id })
		if i < 0 {
			return nil, &out.Failure{Code: out.ExitNone, What: "That is not among the last 20 actions any more."}
		}
		w, err = l.wayBack(ctx, &l.entries[i])
	}
	if err != nil {
		return nil, err
	}
	plan.About = w.entry.What
	if w.back || w.off != "" {
		return w.plan, nil
	}
	plan.Verb, plan.Command = "take it back", l.env.command("undo", w.entry.ID)
	plan.Leaves = w.leaves()
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		done, err := l.goBack(ctx, w)
		return tui.Done{Said: done.said, But: done.lost}, err
	})
	return w.plan, nil
}

// leaves are the files that are not there any more once it is taken back.
func (w *wayBack) leaves() []string {
	var paths []string
	if w.way != nil {
		u := sortOps(w.way.Change.Ops)
		for _, o := range slices.Concat(u.trashed, u.sessions, u.gone) {
			paths = append(paths, o.Path())
		}
	}
	if w.trash != nil {
		for path := range w.trash.rows {
			paths = append(paths, path)
		}
	}
	return paths
}
