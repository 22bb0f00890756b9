package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/handing"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// planSave plans a session document.
func (c Changes) planSave(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	rows := plan.Change.Rows
	if len(rows) != 1 {
		return nil, &out.Failure{What: "A document is written from one session. Choose one."}
	}
	s, err := handing.PlanSave(ctx, c.Env, &rows[0], &handing.SaveAsk{})
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Save a document", render.Title(&rows[0]), "save"
	plan.Command = c.Env.Command("save", "--session", rows[0].ID)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		_, but, err := s.Write(ctx, c.Env)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: s.Saved(c.Env) + " " + c.undoKey() + " undoes this.", But: but}, nil
	})
	return s.Plan(c.Env, c.undoKey(), false), nil
}

// planStage plans to stage a recovery, or to remove it.
func (c Changes) planStage(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	ask := &plan.Change
	if ask.Dir == "" {
		return nil, &out.Failure{What: "A recovery is staged in a project. Choose one."}
	}
	p, s, err := backups.PlanStage(ctx, c.Env, ask.Dir, ask.Text, c.undoKey())
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Stage a recovery", backups.AboutTokens(s.Tokens)+" in "+place.BaseName(s.Project), "stage"
	if s.Text == "" {
		plan.Title, plan.Verb, plan.Command = "Remove the staged recovery", "remove", c.Env.Command("recover", "--unstage", "--project", s.Project)
	}
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		if c.Env.MadeUp {
			return tui.Done{Said: "Demo: would stage it for the next start of a session in " + place.BaseName(s.Project) + "."}, nil
		}
		message, but, err := backups.CarryOutStage(ctx, c.Env, s)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: message + " " + c.undoKey() + " undoes this.", But: but}, nil
	})
	return p, nil
}
