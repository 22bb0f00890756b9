package launch

import (
	"context"
	"errors"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/fork"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// cutFacts returns the facts about a fork that ends with a message.
func cutFacts(ctx context.Context, env *place.Env, conf *place.Config, row *sessions.Row, message string) (*resume.Cut, error) {
	f, err := readFork(ctx, env, row.Path, message)
	if err != nil {
		return nil, err
	}
	return &resume.Cut{Messages: f.Messages, Of: f.Of, Prompt: f.Prompt, New: backups.UnusedID(place.ConfigDirs(env, conf))}, nil
}

func readFork(ctx context.Context, env *place.Env, path, message string) (*fork.Fork, error) {
	f, err := fork.Read(ctx, path, message)
	switch {
	case err == nil || ctx.Err() != nil:
		return f, ctx.Err()
	case errors.Is(err, fork.ErrNoMessage):
		return nil, &out.Failure{Code: out.ExitNone, What: "This session has no message " + out.Quoted(message) + ". Use the ID of a message or its number.", Hints: []string{"continuo show SESSION --json   has the IDs"}, Cause: err}
	case errors.Is(err, fork.ErrSeveral):
		return nil, &out.Failure{What: "Several messages of this session have IDs that start with " + out.Quoted(message) + ". Use more characters.", Cause: err}
	case errors.Is(err, fork.ErrSide):
		return nil, &out.Failure{What: "Message " + out.Quoted(message) + " is of a sub-agent, so a session can't end with it. Use a message of the conversation.", Cause: err}
	}
	return nil, &out.Failure{What: env.Tilde(path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
}

// forkFirst creates the transcript of a fork before a launch. lost is a warning if the journal has no entry for the
// fork, or "".
func forkFirst(ctx context.Context, env *place.Env, l *resume.Launch) (lost string, err error) {
	if l.From == "" {
		return "", nil
	}
	title := words.Cut(render.Title(&l.Row), 80)
	done, err := writing.Do(ctx, env, func(ctx context.Context) (change.Change, error) {
		c := change.Change{Kind: string(journal.Fork), What: "Forked " + title, Where: []string{l.Row.Workdir}, Unkept: true}
		f, err := readFork(ctx, env, l.From, l.At)
		if err != nil {
			return c, err
		}
		src, _, err := transcript.OpenFile(l.From)
		if err != nil {
			return c, err
		}
		defer func() { _ = src.Close() }() // nothing was written
		op, err := f.Op(src, l.Row.ID, title+" (fork)")
		if errors.Is(err, fork.ErrTooLarge) {
			err = &out.Failure{What: "The conversation up to this message has more than " + words.Size(fork.Most) + ". Fork the whole session.", Hints: []string{"continuo resume SESSION --fork"}, Cause: err}
		}
		c.Ops = []change.Op{op}
		return c, err
	})
	if err != nil {
		return "", writing.Failure(env, err, "a fork", func(err error) error { return err })
	}
	return writing.LostBy(&done), nil
}
