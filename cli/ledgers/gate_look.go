package ledgers

import (
	"context"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// GateAsk selects the gate's steps and the project.
type GateAsk struct {
	survey.GateAsk
	Dir     string // the project's folder
	Session string // session of the handoff, as typed; "" means the newest
}

// GateLook is a run of the gate.
type GateLook struct{ survey.Gate }

// LookGate runs the gate for the project of a folder. The report has unchecked steps, too. It returns an error
// if the ledger is empty, the folder or session is unreadable, or ctx ends.
func LookGate(ctx context.Context, env *place.Env, ask GateAsk) (GateLook, error) {
	ask.Program = func(p *ledger.Project) (name, install string) {
		b := place.BeadsOf(env.Host, p)
		return b.Name, strings.Join(b.Names(), " or ")
	}
	ask.GateAsk.Session = func(ctx context.Context, root string) (*sessions.Row, error) {
		return entries.SessionOf(ctx, env, root, ask.Session)
	}
	ask.Gone = func(ctx context.Context, root, path string) string {
		out, err := env.Host.Git(ctx, root, "--literal-pathspecs", "log", "-1", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-renames",
			"--diff-filter=D", "--format=%h", "--", path)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(out)
	}
	g, err := survey.GateOf(ctx, env.LookFrom(ask.Dir), &ask.GateAsk)
	if none, ok := errors.AsType[*survey.NoLedgerError](err); ok {
		return GateLook{}, &out.Failure{
			What:  "There is nothing to check in " + env.Tilde(none.Root) + ": no NOTES.md, no beads, no trajectory. Note the first decision.",
			Hints: []string{"continuo note decision --help", "continuo gate --project PATH   checks another project"},
		}
	}
	return GateLook{g}, place.LookFailure(env, ask.Dir, err)
}
