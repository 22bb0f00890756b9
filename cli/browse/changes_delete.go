package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/deleting"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui"
)

// planDelete plans to move sessions to the trash.
func (c Changes) planDelete(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Delete"
	x, err := deleting.New(ctx, c.Env, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	p := x.Plan()
	n := x.Sessions()
	p.Add("Undo", change.Line{Text: c.undoKey() + " moves " + words.Them(n) + " back, byte for byte."})
	told := []string{"delete"}
	for i := range plan.Change.Rows {
		told = append(told, plan.Change.Rows[i].Path)
	}
	plan.About, plan.Verb, plan.Command = out.Count(n, "session"), "delete "+words.Count(n), c.Env.Command(told...)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		done, err := x.Do(ctx)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: done.What + ". " + c.undoKey() + " moves " + words.Them(n) + " back.", But: writing.LostBy(&done)}, nil
	})
	return p, nil
}
