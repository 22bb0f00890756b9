package place

import (
	"context"
	"errors"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// LookFrom returns the start of a search in a folder.
func (e *Env) LookFrom(dir string) survey.Place {
	return survey.Place{
		Dir: dir, Home: e.Home, Temp: e.Host.Getenv("TMPDIR"), Ledger: e.LedgerEnv(), Now: e.Now(),
		Beads: func(p *ledger.Project) beads.Program { return BeadsOf(e.Host, p) },
	}
}

// LookLedger reads the ledger of a folder. Problems of one source are in the result. The error is an *out.Failure or
// ctx.Err().
func LookLedger(ctx context.Context, env *Env, dir string, how survey.LedgerHow) (survey.Ledger, error) {
	l, err := survey.LedgerOf(ctx, env.LookFrom(dir), how)
	return l, LookFailure(env, dir, err)
}

// LookFailure makes a message from an error of a folder. A failure and a context error stay unchanged.
func LookFailure(env *Env, dir string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if f, ok := errors.AsType[*out.Failure](err); ok {
		return f
	}
	folder, ok := errors.AsType[*survey.FolderError](err)
	if !ok {
		return &out.Failure{What: "Searching for the ledger of " + env.Tilde(dir) + " failed: " + out.Reason(err) + ".", Cause: err}
	}
	switch folder.State {
	case sessions.FolderGone, sessions.FolderRelative:
		return &out.Failure{Code: out.ExitNone, What: "There is no folder " + env.Tilde(dir) + "." + CheckPath}
	case sessions.FolderFile:
		return &out.Failure{What: env.Tilde(dir) + " isn't a folder. Name a project folder."}
	case sessions.FolderDenied:
		return &out.Failure{What: env.Tilde(dir) + " can't be read: permission denied. Check its mode."}
	default:
		return &out.Failure{What: "The disk of " + env.Tilde(dir) + " doesn't answer. Try again when it is mounted."}
	}
}

// LedgerEnv returns the settings for ledgers.
func (e *Env) LedgerEnv() ledger.Env {
	return ledger.Env{ProjectRoot: e.Host.Getenv("PROJECT_ROOT"), Grimoire: e.Host.Getenv("LOA_GRIMOIRE_DIR"), Beads: e.Host.Getenv("LOA_BEADS_DIR"), Home: RealPath(e.Home)}
}

// Recoverer returns a reader for recoveries. If ck is set, it searches with ck.
func Recoverer(env *Env, ck bool) *survey.Recoverer {
	r := &survey.Recoverer{Home: env.Home}
	r.Rows = func(ctx context.Context, root string) (*survey.Look, []*sessions.Row) {
		return ProjectRows(ctx, env, root)
	}
	if ck {
		r.Search = func(ctx context.Context, p *ledger.Project, query string) ([]recovery.Hit, error) {
			return SearchCK(ctx, env.Host, p.Grimoire, p.Root, query)
		}
	}
	return r
}

// NotesTrouble describes a problem of NOTES.md. what starts a sentence about the problem. do is a sentence with the
// solution.
func NotesTrouble(env *Env, p *ledger.Project, err error) (what, do string) {
	if errors.Is(err, ErrReadOnly) {
		return env.Tilde(p.Notes) + " is read-only", "Make it writable."
	}
	if errors.Is(err, disk.ErrLocked) || errors.Is(err, change.ErrChanged) {
		err = ledger.ErrBusy
	}
	return survey.NotesTrouble(p, env.Home, err)
}

// NoLedger returns the error for a project without a ledger.
func NoLedger(env *Env, l *survey.Ledger) error {
	what := "There is no NOTES.md in " + env.Tilde(l.Project.Root) + "."
	if l.None {
		what = "There is no ledger in " + env.Tilde(l.Project.Root) + ": neither NOTES.md nor beads."
	}
	return &out.Failure{
		Code: out.ExitNo, What: what + " The first note creates it.", Facts: l.Problems,
		Hints: []string{"continuo note next \"What is to be done\"", "continuo recover 1   reads the other sources"},
	}
}

// LedgerOf finds the ledger of a folder, or the place for a new ledger.
func LedgerOf(env *Env, dir string) (ledger.Project, error) {
	project, err := ledger.Find(RealPath(dir), env.LedgerEnv())
	if err != nil {
		return project, &out.Failure{What: "The project of " + env.Tilde(dir) + " can't be determined: " + out.Reason(err) + ". Name its root with $PROJECT_ROOT.", Cause: err}
	}
	return project, nil
}

// ErrReadOnly means that a file is read-only.
var ErrReadOnly = errors.New("read-only")

// CheckPath is advice for a missing typed path. The browser removes it.
const CheckPath = " Check the path."
