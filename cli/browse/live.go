package browse

import (
	"cmp"
	"context"
	"errors"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// Clients implements tui.Live.
type Clients struct {
	Env *place.Env
	*keeper.Keeper
}

// Panes implements tui.Live.
func (c Clients) Panes(ctx context.Context, pids []int) map[int]tui.LivePane {
	panes := map[int]tui.LivePane{}
	for pid, pane := range launch.PanesOf(ctx, c.Env, pids) {
		panes[pid] = tui.LivePane{ID: pane.ID, Name: pane.Name}
	}
	return panes
}

// newKeeper returns the keeper of a browser. Its sessions end with the browser.
func newKeeper(env *place.Env) *keeper.Keeper {
	return keeper.New(keeper.Options{Start: launch.Clients{}, Now: env.Now})
}

// endDriven ends the sessions that the browser drives, and says which.
func endDriven(k *keeper.Keeper, o *out.Output) {
	var ended []string
	for _, s := range k.Sessions() {
		if s.Status != keeper.StatusEnded {
			ended = append(ended, s.ID)
		}
	}
	k.Close()
	for _, id := range ended {
		o.Err.Print("Ended the session " + id + ", which ran in continuo. To resume it: continuo resume " + id + "\n")
	}
}

// drives reports whether the browser drives a session.
func (a Actions) drives(id string) bool {
	if a.Keeper == nil {
		return false
	}
	s, ok := a.Keeper.Session(id)
	return ok && s.Status != keeper.StatusEnded
}

// drive resumes or forks a session in this browser. If the user must decide something first, it returns a plan.
func (a Actions) drive(ctx context.Context, row sessions.Row, ask resume.Ask) (tui.Outcome, error) {
	row.Dir = cmp.Or(row.Dir, a.Env.ClientDir()) // a new session has no row
	plan, err := launch.PlanResume(ctx, a.Env, row, ask)
	if err != nil || plan.Launch == nil {
		return tui.Outcome{Plan: &plan}, err
	}
	if a.Env.MadeUp {
		return launch.Start(ctx, a.Env, a.O, plan.Launch)
	}
	if plan.Launch.Second {
		return tui.Outcome{}, &out.Failure{What: "Another client has this session open. Fork it, or go to its terminal."}
	}
	id, err := launch.Drive(ctx, a.Env, a.Keeper, plan.Launch)
	if errors.Is(err, place.ErrTaken) { // another client has opened it since the check
		if plan, err = launch.PlanResume(ctx, a.Env, row, ask); err == nil && plan.Launch == nil {
			return tui.Outcome{Plan: &plan}, nil
		}
	}
	return tui.Outcome{Drives: id}, err
}
