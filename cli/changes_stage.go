package cli

import (
	"context"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/tui"
)

// planStage plans what the browser asks to stage, or to take away.
func (c browserChanges) planStage(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	ask := &plan.Change
	if ask.Dir == "" {
		return nil, &out.Failure{What: "A recovery is staged in a project. Choose one."}
	}
	p, s, err := planStage(ctx, c.env, ask.Dir, ask.Text, c.undoKey())
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Stage a recovery", aboutTokens(s.tokens)+" in "+baseName(s.project), "stage"
	if s.text == "" {
		plan.Title, plan.Verb, plan.Command = "Take away what is staged", "take away", c.env.command("recover", "--unstage", "--project", s.project)
	}
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		said, but, err := carryOutStage(ctx, c.env, s)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: said + " " + c.undoKey() + " takes it back.", But: but}, nil
	})
	return p, nil
}
