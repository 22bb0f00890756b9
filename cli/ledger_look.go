package cli

import (
	"context"
	"errors"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// lookFrom is where a look-up of a folder starts.
func (e *Env) lookFrom(dir string) survey.Place {
	return survey.Place{Dir: dir, Home: e.home, Temp: e.host.Getenv("TMPDIR"), Ledger: e.ledgerEnv(), Now: e.now()}
}

// lookLedger looks at the ledger of a folder, now. What is wrong with a part of it is said in the answer; the error is a
// failure, or that of ctx.
func lookLedger(ctx context.Context, env *Env, dir string, how survey.LedgerHow) (survey.Ledger, error) {
	l, err := survey.LedgerOf(ctx, env.lookFrom(dir), how)
	return l, lookFailure(env, dir, err)
}

// lookFailure is the failure of a look-up of a folder. The error of a context stays as it is, and so does a failure.
func lookFailure(env *Env, dir string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if f, ok := errors.AsType[*out.Failure](err); ok {
		return f
	}
	folder, ok := errors.AsType[*survey.FolderError](err)
	if !ok {
		return &out.Failure{What: "The ledger of " + env.tilde(dir) + " cannot be looked for: " + out.Reason(err) + ".", Cause: err}
	}
	switch folder.State {
	case sessions.FolderGone, sessions.FolderRelative:
		return &out.Failure{Code: out.ExitNone, What: "There is no folder " + env.tilde(dir) + "." + checkPath}
	case sessions.FolderFile:
		return &out.Failure{What: env.tilde(dir) + " is no folder. Name that of a project."}
	case sessions.FolderDenied:
		return &out.Failure{What: env.tilde(dir) + " cannot be read: permission denied. Check its mode."}
	default:
		return &out.Failure{What: "The disk of " + env.tilde(dir) + " does not answer. Try again when it is there."}
	}
}

// ledgerEnv is what the environment says of ledgers.
func (e *Env) ledgerEnv() ledger.Env {
	return ledger.Env{ProjectRoot: e.host.Getenv("PROJECT_ROOT"), Grimoire: e.host.Getenv("LOA_GRIMOIRE_DIR"), Beads: e.host.Getenv("LOA_BEADS_DIR"), Home: realPath(e.home)}
}

// recoverer reads ledgers back; ck says that the program of that name searches.
func recoverer(env *Env, ck bool) *survey.Recoverer {
	r := &survey.Recoverer{Home: env.home, Ago: render.Ago}
	r.Rows = func(ctx context.Context, root string) (*survey.Look, []*sessions.Row) {
		return projectRows(ctx, env, root)
	}
	if ck {
		r.Search = func(ctx context.Context, p *ledger.Project, query string) ([]recovery.Hit, error) {
			return ckSearch(ctx, env.host, p.Grimoire, p.Root, query)
		}
	}
	return r
}

// notesTrouble is what is wrong with NOTES.md, and what to do about it. The first is the beginning of a sentence.
func notesTrouble(env *Env, p *ledger.Project, err error) (what, do string) {
	if errors.Is(err, errReadOnly) {
		return env.tilde(p.Notes) + " is read-only", "Make it writable."
	}
	if errors.Is(err, disk.ErrLocked) || errors.Is(err, change.ErrChanged) {
		err = ledger.ErrBusy
	}
	return survey.NotesTrouble(p, env.home, err)
}
