package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/act"
)

// actStore returns what carries out all that continuo writes at the request of a person.
func actStore(env *Env) *act.Store {
	conf, _ := loadConfig(env) // whoever needs it has looked at the error
	dirs := configDirs(env, conf)
	return &act.Store{
		Journal: journalDir(env), Now: env.now, Heads: notes.HeadsMore,
		Run: func(ctx context.Context, o *change.Op) error {
			return brComment(ctx, env.host, o.Dir, o.Args[0], o.Args[1])
		},
		Live: func(ctx context.Context, id string) bool { return isOpen(ctx, env, dirs, id) },
	}
}

// planOnly plans a change and carries it out.
func planOnly(ctx context.Context, env *Env, plan act.Plan) (act.Done, error) {
	shown, err := plan(ctx)
	if err != nil {
		return act.Done{}, err
	}
	return actStore(env).Do(ctx, &shown, plan)
}

// commentOp returns the op that adds a comment to a bead, by br.
func commentOp(root, bead, text string) change.Op {
	return change.Op{Verb: change.Run, Dir: root, Name: ".", Args: []string{bead, text}}
}

// actFailure explains an error of act; other explains those of the package that planned the change. what names the change.
func actFailure(env *Env, err error, what string, other func(error) error) error {
	if err == nil {
		return nil
	}
	if kept, ok := errors.AsType[*act.NotKeptError](err); ok {
		return notKept(env, what, kept.Err)
	}
	half, ok := errors.AsType[*act.HalfError](err)
	if !ok {
		return other(err)
	}
	return halfDone(env, half)
}

// halfDone says what is left of a change that failed half way. What the package says of its error is not so then: that nothing
// was done.
func halfDone(env *Env, half *act.HalfError) error {
	at, cause := "", half.Err
	if op, ok := errors.AsType[*change.OpError](half.Err); ok {
		at, cause = env.tilde(op.Path)+": ", op.Err
	}
	f := &out.Failure{
		What:  "It failed half way: " + at + strings.TrimSuffix(out.Reason(cause), ".") + ".",
		Facts: []string{"Not put back:"}, Cause: half.Err,
	}
	for _, path := range half.Left {
		f.Facts = append(f.Facts, env.tilde(path))
	}
	if half.ID != "" {
		f.Hints = []string{"continuo undo " + half.ID + "   puts back the rest"}
	}
	return f
}

// lostBy returns the sentence that the journal doesn't know of what was done, "" if it does.
func lostBy(done *act.Done) string {
	if done.Lost == nil {
		return ""
	}
	return "The journal could not be written, so continuo undo does not know all of this: " + strings.TrimSuffix(out.Reason(done.Lost), ".") + "."
}
