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

// lookOps plans to undo an action of sessions/act. It returns an error only if ctx ends.
func (l *journalEntries) lookOps(ctx context.Context, w *UndoPlan) error {
	store := writing.Store(l.Env)
	if l.Spare >= 0 {
		store.MayRead = l.mayRead
	}
	way, err := store.Undo(ctx, &w.Entry)
	if err != nil {
		return err
	}
	w.way = &way
	l.refuseOps(w)
	if w.Off == "" {
		w.refuseEmptied()
	}
	if w.Off == "" {
		l.nothingLeftOf(w)
	}
	if w.Off != "" {
		if l.restOf(w); w.Entry.Kind == journal.Init {
			w.hints = append(w.hints, "continuo uninstall")
		}
		return nil
	}
	if slices.ContainsFunc(w.Entry.Ops, func(o change.Op) bool { return o.Verb == change.Delete && o.Bytes > 0 }) {
		w.why = append(w.why, "permanently deleted files")
	}
	for i := range way.Gone {
		what := "backup "
		if isSession(&way.Gone[i]) {
			what = "file "
		}
		w.why = append(w.why, what+out.CleanPath(way.Gone[i].Path())+" is neither in the trash nor at its original path: another program moved it")
	}
	return nil
}

func isMove(o *change.Op) bool { return o.Verb == change.Move }

// refuseOps refuses the undo if files have changed, and lists them.
func (l *journalEntries) refuseOps(w *UndoPlan) {
	for i := range w.way.Refused {
		if off, why := l.refusedOp(&w.way.Refused[i]); !slices.Contains(w.why, why) {
			w.refuse(off, why)
		}
	}
	for _, project := range w.Entry.Where {
		memory := filepath.Join(project, ".claude", "memory")
		if backups.OpsThat(w.Entry.Ops, func(o *change.Op) bool { return o.Dir == memory }) > 0 {
			if m, err := backup.OpenMemory(project); err == nil {
				_ = m.Close() // no link leads the memory out of the project
			} else if w.Off == "" {
				w.refuse("cannot be read", out.AsFailure(backups.MemoryFailure(l.Env, project, err)).What)
			}
		}
		of := func(o *change.Op) bool { return isMove(o) && backups.ProjectOf(o) == project }
		switch n := backups.OpsThat(w.way.Gone, of); {
		case n == 0 || n < backups.OpsThat(w.Entry.Ops, of):
		case w.Entry.Kind == journal.Undo:
			w.refuse("gone since", "The backups no longer exist.")
		default:
			w.refuse("trash emptied", "The backups are no longer in the trash of "+place.BaseName(project)+".")
		}
	}
}

// nothingLeftOf refuses the undo if there are no steps to undo.
func (l *journalEntries) nothingLeftOf(w *UndoPlan) {
	e := &w.Entry
	only := func(verb change.Verb) bool {
		return !slices.ContainsFunc(e.Ops, func(o change.Op) bool { return o.Verb != verb })
	}
	switch {
	case only(change.Delete):
		w.refuse("gone for good", "The files were deleted permanently.")
	case only(change.Run):
		name := "br"
		if p, err := place.LedgerOf(l.Env, e.Ops[0].Dir); err == nil {
			name = place.BeadsOf(l.Env.Host, &p).Advised()
		}
		w.refuse("kept by "+name, name+" can't remove a comment, so it stays.")
	case !w.way.Back:
	case e.Kind == journal.Stage && e.Ops[len(e.Ops)-1].Verb == change.Make:
		w.refuse("as it was", "The recovery is no longer staged: a session start has printed it, or it was removed.")
	case backups.OpsThat(e.Ops, isMove) > 0:
		w.Back = true
	default:
		w.refuse("as it was", "All files already have their previous content.")
	}
}

// restOf adds a command for each project where a part can be undone.
func (l *journalEntries) restOf(w *UndoPlan) {
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

// refusedOp says why a step can't be undone: in one or two words (off), and as a sentence (why).
func (l *journalEntries) refusedOp(r *change.Refusal) (off, why string) {
	o, path := &r.Op, l.Env.Tilde(r.Op.Path())
	memory := func(err error) string {
		return out.AsFailure(backups.MemoryFailure(l.Env, backups.ProjectOf(o), err)).What
	}
	_, taken := errors.AsType[*change.TakenError](r.Err)
	switch err := r.Err; {
	case taken && filepath.Base(o.Dir) == "memory":
		return "path is taken", memory(err)
	case taken:
		return "path is taken", "Another file is now at " + path + "."
	case errors.Is(err, change.ErrLive):
		return "resumed since", "The session is live, so its file stays. Close the session first."
	case errors.Is(err, change.ErrChanged):
		return l.changedOp(o, path)
	case errors.Is(err, change.ErrGone):
		return "gone since", path + " no longer exists."
	case errors.Is(err, change.ErrTwice):
		return "there twice", path + " contains this text twice. Remove one yourself."
	case errors.Is(err, change.ErrBelow):
		return "changed since", path + " has text below the heading that undo would remove. Remove the heading yourself."
	case errors.Is(err, change.ErrTooLarge):
		return "too large", path + " is larger than 1 MB (limit of undo). Move it yourself."
	case errors.Is(err, fs.ErrNotExist) && filepath.Base(o.Dir) == "memory":
		return "project gone", memory(backup.ErrNoMemory)
	case errors.Is(err, fs.ErrNotExist):
		return "project gone", l.Env.Tilde(o.Dir) + " no longer exists."
	}
	return "cannot be read", path + ": " + out.Reason(disk.Cause(r.Err)) + "."
}

// changedOp is refusedOp for a changed file.
func (l *journalEntries) changedOp(o *change.Op, path string) (off, why string) {
	switch {
	case o.Quiet && backup.InTrash(o.Name):
		return "trash damaged", out.AsFailure(backups.MemoryFailure(l.Env, backups.ProjectOf(o), backup.ErrBadEntry)).What
	case o.Verb == change.Make && o.From != "":
		if fi, err := os.Stat(o.Path()); err == nil && fi.Size() > o.Bytes {
			return "resumed since", "The session was resumed since, so its file stays."
		}
		return "changed since", "The restored file or its backup has changed, so the restored file stays."
	case o.Verb == change.Cut:
		return "changed since", path + " was changed since, so the position is unknown. Add the note again."
	case o.Verb == change.Insert:
		return "changed since", path + " no longer contains this text unchanged, so the file isn't changed."
	}
	return "changed since", path + " was changed since, so it is left alone."
}
