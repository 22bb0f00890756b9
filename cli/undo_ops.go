package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// lookOps plans to undo an action that sessions/act carried out. The error is that of ctx.
func (l *pastLook) lookOps(ctx context.Context, w *wayBack) error {
	e := &w.entry
	store := l.d.act()
	if l.spare >= 0 {
		store.MayRead = l.mayRead
	}
	way, err := store.Undo(ctx, e)
	if err != nil {
		return err
	}
	w.way = &way
	isMove := func(o *change.Op) bool { return o.Verb == change.Move }
	moves := opsThat(e.Ops, isMove)
	for i := range way.Refused {
		if off, why := l.refusedOp(&way.Refused[i]); !slices.Contains(w.why, why) {
			w.refuse(off, why)
		}
	}
	for _, project := range e.Where {
		of := func(o *change.Op) bool { return isMove(o) && projectOf(o) == project }
		if n := opsThat(way.Gone, of); n > 0 && n == opsThat(e.Ops, of) {
			w.refuse("trash emptied", "It is not in the trash of "+baseName(project)+" any more.")
		}
	}
	switch {
	case w.off != "":
		l.restOf(w)
	case !slices.ContainsFunc(e.Ops, func(o change.Op) bool { return o.Verb != change.Delete }):
		w.refuse("gone for good", "What is deleted from a trash is gone.")
	case !slices.ContainsFunc(e.Ops, func(o change.Op) bool { return o.Verb != change.Run }):
		w.refuse("kept by br", "A comment of br stays: br has nothing that takes it out.")
	case way.Back && e.Kind == journal.Stage && e.Ops[len(e.Ops)-1].Verb == change.Make:
		w.refuse("as it was", "It is not staged any more: the start of a session has printed it, or it was taken away.")
	case way.Back && moves > 0:
		w.back = true
	case way.Back:
		w.refuse("as it was", "Every file is as it was before.")
	}
	for i := range way.Gone {
		if w.off != "" {
			break
		}
		w.why = append(w.why, "backup "+cleanPath(way.Gone[i].Path())+" is neither in the trash nor in its place: somebody else took it")
	}
	return nil
}

// restOf names the commands that take back what can be taken back of an action by itself: in each project one.
func (l *pastLook) restOf(w *wayBack) {
	for i := range w.way.Change.Ops {
		o := &w.way.Change.Ops[i]
		if o.Verb != change.Move || backup.EntryOf(o.Name) == "" || len(w.entry.Where) < 2 {
			continue
		}
		hint := shellLine([]string{"continuo", "backup", "undo", backup.EntryOf(o.Name), "--project", projectOf(o)})
		if !slices.Contains(w.hints, hint) {
			w.hints = append(w.hints, hint)
		}
	}
}

func opsThat(ops []change.Op, is func(o *change.Op) bool) int {
	n := 0
	for i := range ops {
		if is(&ops[i]) {
			n++
		}
	}
	return n
}

// refusedOp says why an op can't be undone, in a word or two and in a sentence.
func (l *pastLook) refusedOp(r *change.Refusal) (off, why string) {
	o, path := &r.Op, l.d.tilde(r.Op.Path())
	memory := func(err error) string { return asFailure(l.d.memoryFailure(projectOf(o), err)).what }
	_, taken := errors.AsType[*change.TakenError](r.Err)
	switch err := r.Err; {
	case taken:
		return "place is taken", memory(err)
	case errors.Is(err, change.ErrLive):
		return "resumed since", "The session is live, so its file stays. Close it first."
	case errors.Is(err, change.ErrChanged):
		return l.changedOp(o, path)
	case errors.Is(err, change.ErrGone):
		return "gone since", path + " is not there any more."
	case errors.Is(err, change.ErrTwice):
		return "there twice", path + " has it twice by now, and which one it is cannot be told. Take the right one out yourself."
	case errors.Is(err, change.ErrBelow):
		return "changed since", path + " has more below it by now, which would lose its heading. Take it out yourself."
	case errors.Is(err, change.ErrTooLarge):
		return "too large", path + " is larger than 1 MB, and what is there now could not be kept. Move it away yourself."
	case errors.Is(err, fs.ErrNotExist) && filepath.Base(o.Dir) == "memory":
		return "project gone", memory(backup.ErrNoMemory)
	case errors.Is(err, fs.ErrNotExist):
		return "project gone", l.d.tilde(o.Dir) + " is not there any more."
	}
	return "cannot be read", path + ": " + reason(disk.Cause(r.Err)) + "."
}

// changedOp says so of a file that is not as an op left it.
func (l *pastLook) changedOp(o *change.Op, path string) (off, why string) {
	switch {
	case o.Quiet:
		return "trash damaged", asFailure(l.d.memoryFailure(projectOf(o), backup.ErrBadDeed)).what
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
