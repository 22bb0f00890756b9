package launch

import (
	"context"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// Clients starts the clients of a Keeper.
type Clients struct{}

// Start implements keeper.Starter.
func (Clients) Start(c keeper.Command) (keeper.Process, error) {
	p, err := host.StartPiped(append([]string{c.Program}, c.Args...), c.Dir, c.Environ, c.Stdout, c.Stderr)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Driver drives clients: a *keeper.Keeper in this process, or a *remote.Keeper for another process.
type Driver interface {
	Start(l *resume.Launch, environ []string) (id string, err error)
	Session(id string) (s keeper.Session, ok bool)
}

// Drive carries out a launch in a Keeper, and returns the session ID. It claims the session first, as Start does.
func Drive(ctx context.Context, env *place.Env, k Driver, l *resume.Launch) (id string, err error) {
	r, err := prepareLaunch(ctx, env, l, false)
	if err != nil {
		return "", err
	}
	id, err = k.Start(l, env.Host.Claude(l.Argv, l.Dir, env.ConfigVariable(&l.Row)).Environ)
	if err != nil {
		r.settle(0, "")
		return "", r.withRestored(err)
	}
	s, _ := k.Session(id)
	r.settle(s.PID, "")
	return id, nil
}
