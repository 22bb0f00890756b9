package undoing

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// lookOps plans to undo an action carried out by sessions/act. The error is that of ctx.
func (l *pastLook) lookOps(ctx context.Context, w *WayBack) error {
	store := writing.Store(l.Env)
	if l.Spare >= 0 {
		store.MayRead = l.mayRead
	}
	way, err := store.Undo(ctx, &w.Entry)
	if err != nil {
		return err
	}
	w.way = &way
	if l.refuseOps(w); w.Off == "" {
		l.nothingLeftOf(w)
	}
	if w.Off != "" {
		if l.restOf(w); w.Entry.Kind == journal.Init {
			w.hints = append(w.hints, "continuo uninstall")
		}
		return nil
	}
	if slices.ContainsFunc(w.Entry.Ops, func(o change.Op) bool { return o.Verb == change.Delete && o.Bytes > 0 }) {
		w.why = append(w.why, "what was deleted for good stays gone")
	}
	for i := range way.Gone {
		w.why = append(w.why, "backup "+out.CleanPath(way.Gone[i].Path())+" is neither in the trash nor in its place: another program moved it")
	}
	return nil
}

func isMove(o *change.Op) bool { return o.Verb == change.Move }

// refuseOps lists the files that have changed since the action.
func (l *pastLook) refuseOps(w *WayBack) {
	for i := range w.way.Refused {
		if off, why := l.refusedOp(&w.way.Refused[i]); !slices.Contains(w.why, why) {
			w.refuse(off, why)
		}
	}
	for _, project := range w.Entry.Where {
		memory := filepath.Join(project, ".claude", "memory")
		if backups.OpsThat(w.Entry.Ops, func(o *change.Op) bool { return o.Dir == memory }) > 0 {
			if m, err := backup.OpenMemory(project); err == nil {
				_ = m.Close() // not a link out of the project
			} else if w.Off == "" {
				w.refuse("cannot be read", out.AsFailure(backups.MemoryFailure(l.Env, project, err)).What)
			}
		}
		of := func(o *change.Op) bool { return isMove(o) && backups.ProjectOf(o) == project }
		switch n := backups.OpsThat(w.way.Gone, of); {
		case n == 0 || n < backups.OpsThat(w.Entry.Ops, of):
		case w.Entry.Kind == journal.Undo:
			w.refuse("gone since", "No backup of it is in its place any more.")
		default:
			w.refuse("trash emptied", "It is not in the trash of "+place.BaseName(project)+" any more.")
		}
	}
}

// nothingLeftOf refuses the undo if no step is left to undo.
func (l *pastLook) nothingLeftOf(w *WayBack) {
	e := &w.Entry
	only := func(verb change.Verb) bool {
		return !slices.ContainsFunc(e.Ops, func(o change.Op) bool { return o.Verb != verb })
	}
	switch {
	case only(change.Delete):
		w.refuse("gone for good", "What was deleted is gone.")
	case only(change.Run):
		w.refuse("kept by br", "A comment of br stays: br has nothing that takes it out.")
	case !w.way.Back:
	case e.Kind == journal.Stage && e.Ops[len(e.Ops)-1].Verb == change.Make:
		w.refuse("as it was", "It is not staged any more: the start of a session has printed it, or it was taken away.")
	case backups.OpsThat(e.Ops, isMove) > 0:
		w.Back = true
	default:
		w.refuse("as it was", "Every file is as it was before.")
	}
}

// restOf adds one command per project that undoes the remaining part of an action.
func (l *pastLook) restOf(w *WayBack) {
	for i := range w.way.Change.Ops {
		o := &w.way.Change.Ops[i]
		if o.Verb != change.Move || backup.EntryOf(o.Name) == "" || len(w.Entry.Where) < 2 {
			continue
		}
		hint := place.ShellLine([]string{"continuo", "backup", "undo", backup.EntryOf(o.Name), "--project", backups.ProjectOf(o)})
		if !slices.Contains(w.hints, hint) {
			w.hints = append(w.hints, hint)
		}
	}
}

// refusedOp returns why a step can't be undone, in a word or two and as a sentence.
func (l *pastLook) refusedOp(r *change.Refusal) (off, why string) {
	o, path := &r.Op, l.Env.Tilde(r.Op.Path())
	memory := func(err error) string {
		return out.AsFailure(backups.MemoryFailure(l.Env, backups.ProjectOf(o), err)).What
	}
	_, taken := errors.AsType[*change.TakenError](r.Err)
	switch err := r.Err; {
	case taken && filepath.Base(o.Dir) == "memory":
		return "place is taken", memory(err)
	case taken:
		return "place is taken", "Another file is in the place of " + path + "."
	case errors.Is(err, change.ErrLive):
		return "resumed since", "The session is live, so its file stays. Close it first."
	case errors.Is(err, change.ErrChanged):
		return l.changedOp(o, path)
	case errors.Is(err, change.ErrGone):
		return "gone since", path + " is not there any more."
	case errors.Is(err, change.ErrTwice):
		return "there twice", path + " contains it twice. Take the right one out yourself."
	case errors.Is(err, change.ErrBelow):
		return "changed since", path + " has more text below it, which would lose its heading. Take it out yourself."
	case errors.Is(err, change.ErrTooLarge):
		return "too large", path + " is larger than 1 MB, and what is there now could not be kept. Move it away yourself."
	case errors.Is(err, fs.ErrNotExist) && filepath.Base(o.Dir) == "memory":
		return "project gone", memory(backup.ErrNoMemory)
	case errors.Is(err, fs.ErrNotExist):
		return "project gone", l.Env.Tilde(o.Dir) + " is not there any more."
	}
	return "cannot be read", path + ": " + out.Reason(disk.Cause(r.Err)) + "."
}

// changedOp returns the reason for a file that has changed since the action.
func (l *pastLook) changedOp(o *change.Op, path string) (off, why string) {
	switch {
	case o.Quiet && backup.InTrash(o.Name):
		return "trash damaged", out.AsFailure(backups.MemoryFailure(l.Env, backups.ProjectOf(o), backup.ErrBadDeed)).What
	case o.Verb == change.Make && o.From != "":
		if fi, err := os.Stat(o.Path()); err == nil && fi.Size() > o.Bytes {
			return "resumed since", "Somebody has gone on with the session, so its file stays."
		}
		return "changed since", "The file that was made, or its backup, is not what it was, so it stays."
	case o.Verb == change.Cut:
		return "changed since", path + " was written to since, so where it stood is not known any more. Note it again."
	case o.Verb == change.Insert:
		return "changed since", path + " does not have it any more as it was written, so it is left alone."
	}
	return "changed since", path + " was changed since, so it is left alone."
}
