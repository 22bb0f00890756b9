package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
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
	_, taken := errors.AsType[*change.TakenError](r.Err)
	made := o.Verb == change.Make && o.From != ""
	memory := func(err error) string { return asFailure(l.d.memoryFailure(projectOf(o), err)).what }
	switch err := r.Err; {
	case taken:
		return "place is taken", memory(err)
	case o.Quiet && errors.Is(err, change.ErrChanged):
		return "trash damaged", memory(backup.ErrBadDeed)
	case errors.Is(err, change.ErrLive):
		return "resumed since", "The session is live, so its file stays. Close it first."
	case errors.Is(err, change.ErrChanged) && made:
		if fi, err := os.Stat(o.Path()); err == nil && fi.Size() > o.Bytes {
			return "resumed since", "Somebody has gone on with the session, so its file stays."
		}
		return "changed since", "The file that was made, or its backup, is not what it was, so it stays."
	case errors.Is(err, change.ErrChanged) && o.Verb == change.Cut:
		return "changed since", path + " was written to since, so where it stood is not known any more. Note it again."
	case errors.Is(err, change.ErrChanged) && o.Verb == change.Insert:
		return "changed since", path + " does not have it any more as it was written, so it is left alone."
	case errors.Is(err, change.ErrChanged):
		return "changed since", path + " was changed since, so it is left alone."
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

// projectOf returns the project whose memory an op is about.
func projectOf(o *change.Op) string { return filepath.Dir(filepath.Dir(o.Dir)) }

// undoneOps are the steps of an undo, told apart by what a person calls them.
type undoneOps struct {
	back     []*change.Op // backups that come back from the trash
	trashed  []*change.Op // backups that go there again
	markers  []*change.Op // that come back, or go
	sessions []*change.Op // transcripts of restores, that go
	made     []*change.Op // files that come back, or get the text that they had
	gone     []*change.Op // files that were made, and go
	lines    []*change.Op // texts that go out of files, or come back
}

func sortOps(ops []change.Op) (u undoneOps) {
	for i := range ops {
		o := &ops[i]
		switch {
		case o.Quiet:
		case o.Verb == change.Move && backup.InTrash(o.To):
			u.trashed = append(u.trashed, o)
		case o.Verb == change.Move:
			u.back = append(u.back, o)
		case backup.IsMarker(o.Name):
			u.markers = append(u.markers, o)
		case o.Verb == change.Remove && o.From != "":
			u.sessions = append(u.sessions, o)
		case o.Verb == change.Remove:
			u.gone = append(u.gone, o)
		case o.Verb == change.Cut, o.Verb == change.Insert:
			u.lines = append(u.lines, o)
		default:
			u.made = append(u.made, o)
		}
	}
	return u
}

// drawOps draws what an undo does.
func (l *pastLook) drawOps(w *wayBack) {
	p, u := w.plan, sortOps(w.way.Change.Ops)
	l.drawBack(w, &u)
	path := func(o *change.Op, bytes int) render.PlanLine {
		line := render.PlanLine{Ink: render.Faint, Text: l.d.tilde(o.Path()), Whole: true}
		if bytes > 0 {
			line.Right = render.Size(int64(bytes))
		}
		return line
	}
	for _, o := range u.sessions {
		p.report.Deleted = append(p.report.Deleted, o.Path())
		p.add("Removed", render.PlanLine{Text: "the session that the restore made, of which the backup has every byte"}, path(o, 0))
	}
	var made, gone []render.PlanLine
	for _, o := range u.made {
		p.report.Made = append(p.report.Made, o.Path())
		made = append(made, path(o, len(o.Text)))
	}
	for _, o := range u.gone {
		p.report.Deleted = append(p.report.Deleted, o.Path())
		gone = append(gone, path(o, len(o.Text)))
	}
	if n := len(made); n > 0 {
		made = append([]render.PlanLine{{Text: render.Counted(n, "file gets the text that it had", "files get the text that they had")}}, made...)
	}
	if n := len(gone); n > 0 {
		gone = append([]render.PlanLine{{Text: render.Counted(n, "file that was made, and not changed since", "files that were made, and not changed since")}}, gone...)
	}
	p.add("Touched", made...)
	p.add("Removed", gone...)
	for _, o := range u.lines {
		l.drawLines(p, o, path(o, 0))
	}
}

// drawLines draws a text that goes out of a file, or comes back.
func (l *pastLook) drawLines(p *deedPlan, o *change.Op, path render.PlanLine) {
	n := bytes.Count(bytes.TrimRight(o.Text, "\n"), []byte("\n")) + 1
	text := (&noting{bead: true, comment: string(o.Text)}).lines()
	if o.Verb == change.Insert {
		p.report.Made = append(p.report.Made, o.Path())
		p.add("Touched", append([]render.PlanLine{{Text: render.Counted(n, "line comes", "lines come") + " back"}, path}, text...)...)
		return
	}
	if l.leavesNothing(o) {
		p.report.Deleted = append(p.report.Deleted, o.Path())
		p.add("Removed", render.PlanLine{Text: "1 file that was made for it, and has nothing else"}, path)
		return
	}
	p.report.Made = append(p.report.Made, o.Path())
	p.add("Removed", append([]render.PlanLine{{Text: render.Counted(n, "line", "lines") + ", and nothing else of the file"}, path}, text...)...)
}

// leavesNothing reports whether a file has nothing but the text that goes out of it.
func (l *pastLook) leavesNothing(o *change.Op) bool {
	fi, err := os.Lstat(o.Path())
	return o.New && err == nil && fi.Size() == int64(len(o.Text))
}

// drawBack draws backups and markers that come back, or go again.
func (l *pastLook) drawBack(w *wayBack, u *undoneOps) {
	p := w.plan
	several := len(w.entry.Where) > 1
	in := func(o *change.Op) string {
		if !several {
			return ""
		}
		return " in " + baseName(projectOf(o))
	}
	var moves []render.PlanLine
	var bytes int64
	entries := map[string]bool{}
	for _, o := range slices.Concat(u.back, u.trashed) {
		name, path := o.To, o.ToPath()
		if backup.InTrash(o.To) {
			name, path = o.Name, o.Path()
		}
		if id := backup.EntryOf(o.Name); id != "" && !entries[o.Dir+id] {
			entries[o.Dir+id] = true
			p.report.Entries = append(p.report.Entries, id)
		}
		bytes += o.Bytes
		moves = append(moves, render.PlanLine{Ink: render.Faint, Text: cleanPath(name) + in(o), Whole: true, Right: render.Size(o.Bytes)})
		p.report.Backups = append(p.report.Backups, deedBackup{Path: path, Bytes: o.Bytes})
	}
	var names, gone []string
	for _, o := range u.markers {
		if o.Verb == change.Remove {
			gone = append(gone, cleanPath(o.Name)+in(o))
		} else {
			names = append(names, cleanPath(o.Name)+in(o))
		}
		p.report.Markers = append(p.report.Markers, o.Path())
	}
	if n := len(moves); n > 0 {
		where := " from the trash of "
		verb := " come back"
		if n == 1 {
			verb = " comes back"
		}
		if len(u.trashed) > 0 {
			where = " to the trash of "
			verb = strings.NewReplacer("come back", "go", "comes back", "goes").Replace(verb)
		}
		of := "their projects"
		if !several {
			of = baseName(projectOf(slices.Concat(u.back, u.trashed)[0]))
		}
		moves = append([]render.PlanLine{{Text: count(n, "file") + ", " + render.Size(bytes) + "," + verb + where + of}}, moves...)
	}
	if n := len(names); n > 0 {
		moves = append(moves, render.PlanLine{Text: count(n, "marker") + ", as before: " + words.AndList(names)})
	}
	p.add("Touched", moves...)
	if n := len(gone); n > 0 {
		p.add("Removed", render.PlanLine{Text: count(n, "marker") + ": " + words.AndList(gone)})
	}
}

// saidOps says what an undo did.
func saidOps(ops []change.Op) string {
	u := sortOps(ops)
	switch {
	case len(u.trashed) > 0:
		if len(u.trashed) == 1 {
			return "1 backup is in the trash."
		}
		return count(len(u.trashed), "backup") + " are in the trash."
	case len(u.back)+len(u.markers)+len(u.sessions) > 0:
		var parts []string
		if n := len(u.back); n > 0 {
			parts = append(parts, count(n, "backup"))
		}
		if n := len(u.markers); n > 0 {
			parts = append(parts, count(n, "marker"))
		}
		said := "Back: " + words.AndList(parts) + "."
		if len(parts) == 0 {
			said = "Taken back."
		}
		if len(u.sessions) > 0 {
			said += " The session that the restore made is gone."
		}
		return said
	}
	return saidFiles(&u)
}

// saidFiles says what an undo did to documents and ledgers.
func saidFiles(u *undoneOps) string {
	if len(u.lines) == 1 && len(u.made)+len(u.gone) == 0 {
		o := u.lines[0]
		name := filepath.Base(o.Name)
		switch {
		case o.Verb == change.Insert:
			return "It is in " + cleanPath(name) + " again."
		case o.Sum == "":
			return cleanPath(name) + " is gone: it had nothing else."
		}
		return "It is out of " + cleanPath(name) + "; the rest is as it was."
	}
	back, gone := len(u.made)+len(u.lines), len(u.gone)
	switch {
	case back == 1 && gone == 0:
		return cleanPath(filepath.Base(u.made[0].Name)) + " has the text that it had."
	case back == 0 && gone == 1:
		return cleanPath(filepath.Base(u.gone[0].Name)) + " is gone again."
	case gone == 0:
		return "Back: " + count(back, "file") + "."
	case back == 0:
		return "Removed: " + count(gone, "file") + "."
	}
	return "Back: " + count(back, "file") + ". Removed: " + count(gone, "file") + "."
}

// opsBack carries out an undo as it was planned.
func (l *pastLook) opsBack(ctx context.Context, w *wayBack) (done wentBack, err error) {
	store := l.d.act()
	did, err := store.Do(ctx, &w.way.Change, store.UndoPlan(&w.entry))
	if err != nil {
		return done, l.d.actFailure(err, "taking it back", func(err error) error {
			return &failure{what: "It was not taken back: " + strings.TrimSuffix(reason(err), ".") + ".", cause: err}
		})
	}
	done.words, done.lost = saidOps(did.Ops), lostBy(&did)
	entries := map[string]bool{}
	for i := range did.Ops {
		o := &did.Ops[i]
		if id := backup.EntryOf(o.To); id != "" && !entries[o.Dir+id] {
			entries[o.Dir+id] = true
			done.entries = append(done.entries, id)
		}
	}
	return done, nil
}
