package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui"
)

// planKeep plans to keep backups.
func (c Changes) planKeep(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Keep"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	x, err := backups.PlanKeep(ctx, c.Env, list)
	if err != nil {
		return nil, err
	}
	p := backups.KeepPlan(c.Env, x)
	p.Insert("But", backups.GoneLines(gone))
	plan.About = backups.About(len(x.Rows), "backup", len(x.Plans))
	if len(x.Rows) == 0 {
		p.Insert("Stays", []change.Line{{Text: "all files; nothing to do"}})
		return p, nil
	}
	p.Add("Undo", change.Line{Text: c.undoKey() + " restores " + backups.BothOf(x.Markers(), "marker") + ", byte for byte."},
		change.Line{Tone: change.Muted, Text: "continuo can undo your last 20 actions."})
	command := []string{"backup", "keep"}
	for _, b := range x.Rows {
		command = append(command, b.Row.Path)
	}
	plan.Verb, plan.Command = "keep "+words.Count(len(x.Rows)), c.Env.Command(command...)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		done, err := backups.KeepAll(ctx, c.Env, x)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: done.What + ". " + c.undoKey() + " makes " + words.Them(len(x.Rows)) + " pending again.", But: writing.LostBy(&done)}, nil
	})
	return p, nil
}
