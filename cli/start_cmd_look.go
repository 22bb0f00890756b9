package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// lookStart goes through the steps of a start. The error is a failure of the folder, or that of ctx.
func lookStart(ctx context.Context, env *Env, ask startAsk) (*survey.Start, error) {
	p, err := survey.StartOf(ctx, env.lookFrom(ask.dir), ask.level, recoverer(env, false), startBr(env))
	return p, lookFailure(env, ask.dir, err)
}

// startBr asks br, and says in words that go on why it has no answer.
func startBr(env *Env) survey.Br {
	failed := func(err error) error {
		switch {
		case err == nil:
			return nil
		case errors.Is(err, host.ErrNoBr):
			return errors.New("br is not on the PATH")
		}
		return errors.New(strings.TrimRight(out.AsFailure(err).What, "."))
	}
	br := survey.Br{Name: env.host.BrName()}
	_, br.There = env.host.BrProgram()
	br.Ready = func(ctx context.Context, root string) ([]beads.Bead, error) {
		list, err := brReady(ctx, env.host, root)
		return list, failed(err)
	}
	br.Show = func(ctx context.Context, root, id string) (*beads.Bead, error) {
		b, err := brShow(ctx, env.host, root, id)
		if err != nil && out.AsFailure(err).ExitCode() == out.ExitNone {
			return nil, nil
		}
		return &b, failed(err)
	}
	return br
}
