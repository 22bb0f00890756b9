package browse

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// planUndo plans to undo an action.
func (c Changes) planUndo(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Undo"
	l, err := undoing.ReadJournal(ctx, c.Env, c.O, c.Dirs)
	if err != nil {
		return nil, err
	}
	var w *undoing.UndoPlan
	if id := plan.Change.Past; id == "" {
		scope, nothing := undoing.Scope{All: true}, "Nothing to undo."
		if dir := plan.Change.Dir; dir != "" {
			scope, nothing = undoing.ScopeOf(ctx, c.Env, dir), "Nothing to undo in this project."
		}
		if w, err = l.Newest(ctx, &scope); err == nil && w == nil {
			err = &out.Failure{Code: out.ExitNone, What: nothing}
		}
	} else {
		i := slices.IndexFunc(l.Entries, func(e journal.Entry) bool { return e.ID == id })
		if i < 0 {
			return nil, &out.Failure{Code: out.ExitNone, What: "That action is no longer among the last 20."}
		}
		w, err = l.UndoPlan(ctx, &l.Entries[i])
	}
	if err != nil {
		return nil, err
	}
	plan.About = w.Entry.What
	if w.Back || w.Off != "" {
		return w.Plan, nil
	}
	plan.Verb, plan.Command = "undo", l.Env.Command("undo", w.Entry.ID)
	plan.Leaves = w.Leaves()
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		done, err := l.Apply(ctx, w)
		return tui.Done{Said: done.Said, But: done.Lost}, err
	})
	return w.Plan, nil
}
