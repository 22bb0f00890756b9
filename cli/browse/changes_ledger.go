package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// planLedger plans delta, fork-check, heal or notes lint.
func (c Changes) planLedger(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	ask := &plan.Change
	session := ""
	if len(ask.Rows) == 1 && ask.Rows[0].Kind == sessions.KindSession {
		session = ask.Rows[0].ID
	}
	var p *entries.Planned
	var err error
	switch ask.Kind {
	case tui.ChangeDelta:
		plan.Title = "Write a delta"
		p, err = entries.PlanDelta(ctx, c.Env, ask.Dir, session, c.undoKey())
	case tui.ChangeForks:
		plan.Title = "Fork-check"
		p, err = ledgers.PlanForks(ctx, c.Env, ask.Dir, session)
	case tui.ChangeHeal:
		plan.Title = "Heal the ledger"
		p, err = entries.PlanHeal(ctx, c.Env, ask.Dir, c.undoKey())
	default:
		plan.Title = "Lint NOTES.md"
		p, err = entries.PlanLint(ctx, c.Env, ask.Dir, c.undoKey())
	}
	if err != nil {
		return nil, err
	}
	plan.About, plan.Verb = "of "+place.BaseName(p.Root), p.Verb
	plan.Command = c.Env.Command(append(p.Command, "--project", p.Root)...)
	if p.Verb == "" {
		return &writing.Plan{Parts: p.Parts}, nil
	}
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		said, but, err := p.Write(ctx)
		return tui.Done{Said: said, But: but}, err
	})
	return &writing.Plan{Parts: p.Parts}, nil
}
