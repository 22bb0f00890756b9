package writing

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
)

// Store returns the store that carries out and journals all changes made on request.
func Store(env *place.Env) *act.Store {
	conf, _ := place.LoadConfig(env) // the caller has reported the error
	dirs := place.ConfigDirs(env, conf)
	return &act.Store{
		Journal: place.JournalDir(env), Now: env.Now, Heads: notes.HeadsMore,
		Run: func(ctx context.Context, o *change.Op) error {
			return place.BrComment(ctx, env.Host, o.Dir, o.Args[0], o.Args[1])
		},
		Live: func(ctx context.Context, id string) bool { return IsOpen(ctx, env, dirs, id) },
	}
}

// Recover completes or undoes a killed action before a command looks at the files, unless the command only prints its plan.
func (w Flags) Recover(ctx context.Context, env *place.Env) {
	if !w.DryRun {
		Store(env).Recover(ctx)
	}
}

// Do plans a change and carries it out.
func Do(ctx context.Context, env *place.Env, plan act.Plan) (act.Done, error) {
	shown, err := plan(ctx)
	if err != nil {
		return act.Done{}, err
	}
	return Store(env).Do(ctx, &shown, plan)
}

// CommentOp returns the op that adds a comment to a bead with br.
func CommentOp(root, bead, text string) change.Op {
	return change.Op{Verb: change.Run, Dir: root, Name: ".", Args: []string{bead, text}}
}

// Failure converts an error of act into a message. The text what names the change. The function other converts the
// errors of the package that planned the change.
func Failure(env *place.Env, err error, what string, other func(error) error) error {
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

// halfDone describes a change that failed halfway and could not be undone completely.
func halfDone(env *place.Env, half *act.HalfError) error {
	at, cause := "", half.Err
	if op, ok := errors.AsType[*change.OpError](half.Err); ok {
		at, cause = env.Tilde(op.Path)+": ", op.Err
	}
	f := &out.Failure{
		What:  "It failed halfway: " + at + strings.TrimSuffix(out.Reason(cause), ".") + ".",
		Facts: []string{"Not restored:"}, Cause: half.Err,
	}
	for _, path := range half.Left {
		f.Facts = append(f.Facts, env.Tilde(path))
	}
	if half.ID != "" {
		f.Hints = []string{"continuo undo " + half.ID + "   undoes the rest"}
	}
	return f
}

// LostBy returns a sentence if the journal lacks a part of the change, "" otherwise.
func LostBy(done *act.Done) string {
	if done.Lost == nil {
		return ""
	}
	return "The journal could not be written, so continuo undo can't undo all of this: " + strings.TrimSuffix(out.Reason(done.Lost), ".") + "."
}

// notKept returns the error that nothing was written because the undo data could not be saved.
func notKept(env *place.Env, what string, err error) error {
	return Unkept(env, what, err, "Nothing was written.")
}

// Unkept returns the error that the undo data of a change could not be saved. The text what names the change. nothing
// is a sentence like "Nothing was written."
func Unkept(env *place.Env, what string, err error, nothing string) error {
	return &out.Failure{
		What:  "The undo data of " + what + " could not be saved: " + out.Reason(err) + ". " + nothing,
		Facts: []string{env.Tilde(place.JournalDir(env))}, Cause: err,
	}
}

// IsOpen reports whether a client has or may have the session open. An unreadable registry entry counts as open.
func IsOpen(ctx context.Context, env *place.Env, dirs []string, id string) bool {
	for _, dir := range dirs {
		list, errs := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe())
		open := slices.ContainsFunc(list, func(l sessions.Live) bool { return l.SessionID == id })
		if open || len(errs) > 0 || len(place.StartingOf(ctx, env, &sessions.Row{Session: sessions.Session{ID: id, Dir: dir}})) > 0 {
			return true
		}
	}
	return false
}
