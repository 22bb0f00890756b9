package browse

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/keeping"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// Clients implements tui.Live.
type Clients struct {
	Env *place.Env
	tui.LiveDriver
}

// driver drives the sessions of a browser.
type driver interface {
	tui.LiveDriver
	launch.Driver
}

// Panes implements tui.Live.
func (c Clients) Panes(ctx context.Context, pids []int) map[int]tui.LivePane {
	panes := map[int]tui.LivePane{}
	for pid, pane := range launch.PanesOf(ctx, c.Env, pids) {
		panes[pid] = tui.LivePane{ID: pane.ID, Name: pane.Name}
	}
	return panes
}

// connectLimit is how long the browser's start waits for the keeper.
const connectLimit = 2 * time.Second

// newDriver returns the keeper if it runs, else a Keeper in this process. The sessions of the latter end with
// the browser. Call closed after the browser. If the keeper can't be reached, closed prints the error.
func newDriver(ctx context.Context, env *place.Env, o *out.Output) (d driver, isKeeper bool, closed func()) {
	limited, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	r, err := keeping.Connect(limited, env)
	if r == nil {
		k := keeping.NewKeeper(env)
		return k, false, func() {
			keeping.End(k, o)
			if err != nil && ctx.Err() == nil {
				o.Fail(err)
			}
		}
	}
	return r, true, func() {
		running := slices.DeleteFunc(r.Sessions(), func(s keeper.Session) bool { return s.Status == keeper.StatusEnded })
		r.Close()
		if n := len(running); n > 0 {
			o.Err.Print(words.Counted(n, "session continues", "sessions continue") + " in the keeper.\n")
		}
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

// drive resumes or forks a session in this browser. If the user has to decide something, it returns a plan.
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
		return tui.Outcome{}, &out.Failure{What: "Another client has this session open. Fork the session, or go to the client's terminal."}
	}
	id, err := launch.Drive(ctx, a.Env, a.Keeper, plan.Launch)
	if errors.Is(err, place.ErrTaken) { // another client has opened the session
		if plan, err = launch.PlanResume(ctx, a.Env, row, ask); err == nil && plan.Launch == nil {
			return tui.Outcome{Plan: &plan}, nil
		}
	}
	return tui.Outcome{Drives: id}, err
}
