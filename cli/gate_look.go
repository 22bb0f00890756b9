package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// gateAsk is which gate is run, and of what.
type gateAsk struct {
	survey.GateAsk
	dir     string // folder of the project
	session string // of which the handoff is, as it is typed; "" the newest of the project
}

// gateLook is a run of the gate.
type gateLook struct{ survey.Gate }

// lookGate runs the gate on the project of a folder, now. What could not be checked is said in the report; the error is that
// there is nothing to check, or of the folder, the session or ctx.
func lookGate(ctx context.Context, env *Env, ask gateAsk) (gateLook, error) {
	if path, ok := env.host.BrProgram(); ok {
		ask.Program = strings.TrimSuffix(filepath.Base(path), ".exe")
	}
	ask.Session = func(ctx context.Context, root string) (*sessions.Row, error) {
		return sessionOf(ctx, env, root, ask.session)
	}
	ask.Gone = func(ctx context.Context, root, path string) string {
		out, err := env.host.Git(ctx, root, "--literal-pathspecs", "log", "-1", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-renames",
			"--diff-filter=D", "--format=%h", "--", path)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(out)
	}
	g, err := survey.GateOf(ctx, env.lookFrom(ask.dir), &ask.GateAsk)
	if none, ok := errors.AsType[*survey.NoLedgerError](err); ok {
		return gateLook{}, &out.Failure{
			What:  "There is nothing to check in " + env.tilde(none.Root) + ": no NOTES.md, no beads, no trajectory. Note the first decision.",
			Hints: []string{"continuo note decision --help", "continuo gate --project PATH   checks another project"},
		}
	}
	return gateLook{g}, lookFailure(env, ask.dir, err)
}
