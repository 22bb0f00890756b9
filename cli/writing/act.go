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

// Store returns the store that carries out changes and records them in the journal.
func Store(env *place.Env) *act.Store {
	conf, _ := place.LoadConfig(env) // the caller has reported the error
	dirs := place.ConfigDirs(env, conf)
	return &act.Store{
		Journal: place.JournalDir(env), Now: env.Now, Heads: notes.HeadsMore,
		Run: func(ctx context.Context, o *change.Op) error {
			project, err := place.LedgerOf(env, o.Dir)
			if err != nil {
				return err
			}
			return place.BeadsOf(env.Host, &project).Comment(ctx, o.Args[0], o.Args[1])
		},
		Live: func(ctx context.Context, id string) bool { return IsOpen(ctx, env, dirs, id) },
	}
}

// FinishInterrupted completes or undoes an interrupted action before the command reads the files. With
// --dry-run, it does nothing.
func (w Flags) FinishInterrupted(ctx context.Context, env *place.Env) {
	if !w.DryRun {
		Store(env).FinishInterrupted(ctx)
	}
}

// Do plans a change and carries it out.
func Do(ctx context.Context, env *place.Env, plan act.Planner) (act.Done, error) {
	shown, err := plan(ctx)
	if err != nil {
		return act.Done{}, err
	}
	return Store(env).Do(ctx, &shown, plan)
}

// CommentOp returns the op that adds a comment to a bead with br or bd.
func CommentOp(root, bead, text string) change.Op {
	return change.Op{Verb: change.Run, Dir: root, Name: ".", Args: []string{bead, text}}
}

// Failure converts an error of act into a message. The argument what names the change. The function other
// converts all errors that aren't from act.
func Failure(env *place.Env, err error, what string, other func(error) error) error {
	if err == nil {
		return nil
	}
	if kept, ok := errors.AsType[*act.NotKeptError](err); ok {
		return undoDataFailure(env, what, kept.Err)
	}
	half, ok := errors.AsType[*act.HalfError](err)
	if !ok {
		return other(err)
	}
	return halfDone(env, half)
}

// halfDone returns the error for a change that failed after steps that could not be undone.
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

// LostBy returns a warning if the journal lacks a part of the change, else "".
func LostBy(done *act.Done) string {
	if done.Lost == nil {
		return ""
	}
	return "The journal could not be written, so continuo undo can't undo all of this: " + strings.TrimSuffix(out.Reason(done.Lost), ".") + "."
}

// undoDataFailure returns the error for a change that was not made, because its undo data could not be saved.
func undoDataFailure(env *place.Env, what string, err error) error {
	return &out.Failure{
		What:  "The undo data of " + what + " could not be saved: " + out.Reason(err) + ". Nothing was written.",
		Facts: []string{env.Tilde(place.JournalDir(env))}, Cause: err,
	}
}

// IsOpen reports whether a client may have the session open. If a registry entry is unreadable, it returns true.
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
