package entries

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// SessionOf returns the session that word names. For "", it returns the session that runs this command, or the
// project's newest session. It returns nil if there is none.
func SessionOf(ctx context.Context, env *place.Env, root, word string) (*sessions.Row, error) {
	if own := env.Host.Getenv("CLAUDE_CODE_SESSION_ID"); word == "" && sessions.IsUUID(own) {
		row, _, err := find.Session(ctx, env, find.SessionArg{Word: own})
		if s := (find.Scope{Project: root}); err == nil && row.Kind == sessions.KindSession && s.Holds(&row) {
			return &row, nil
		}
	}
	if word == "" {
		_, mine := place.ProjectRows(ctx, env, root)
		if i := slices.IndexFunc(mine, func(r *sessions.Row) bool { return r.Kind == sessions.KindSession && !r.Quiet() }); i >= 0 {
			return mine[i], ctx.Err()
		}
		return nil, ctx.Err()
	}
	row, _, err := find.Session(ctx, env, find.SessionArg{Word: word})
	switch {
	case err != nil:
		return nil, err
	case row.Kind != sessions.KindSession:
		return nil, &out.Failure{What: out.Quoted(word) + " is a backup or document, not a session. Name a session.", Hints: []string{"continuo list   shows the IDs"}}
	}
	return &row, nil
}

// ReadSaid reads the size of a session's context. If texts is set, it also reads the decisions since a time.
func ReadSaid(ctx context.Context, env *place.Env, row *sessions.Row, texts bool, after time.Time) (*survey.Said, error) {
	s, err := survey.SaidIn(ctx, row, texts, after)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &out.Failure{What: env.Tilde(row.Path) + " cannot be read: " + out.Reason(err) + ".", Cause: err}
	}
	return s, nil
}

// LogPart warns that older records of a trajectory may be missing. limit is the number of bytes read.
func LogPart(env *place.Env, p *ledger.Project, limit int64) string {
	return "not all of the trajectory in " + env.Tilde(p.Trajectory) + " could be read: it is damaged, or has more than " + words.Size(limit)
}

// LogFailure returns the error for a record that wasn't appended.
func LogFailure(env *place.Env, path string, err error) *out.Failure {
	why := trajectory.Reason(err)
	if errors.Is(err, ledger.ErrBusy) {
		why = "another program is writing"
	}
	return &out.Failure{What: "The record could not be written to " + env.Tilde(path) + ": " + why + ".", Cause: err}
}

// CheckAgent returns an error if an agent's name isn't valid in file names.
func CheckAgent(agent, hint string) error {
	if !find.IsPlainWord(agent) || len(agent) > 100 {
		return out.Usage("--agent takes an agent's name as in the file names of the trajectory, not "+out.Quoted(agent)+".", hint)
	}
	return nil
}
