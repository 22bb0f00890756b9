package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// pastLook is one look at what was done.
type pastLook struct {
	d        *deps
	dirs     []string      // Claude config dirs
	client   backup.Client // of these
	shelf    *shelfLook
	entries  []journal.Entry // newest first
	problems []string        // what of the journal could not be read
	spare    int64           // bytes that a list may still read of what is to be compared; below 0 there is no limit
}

// pastReads bounds what a list reads: 64 MB take some 0.1 s, and the browser asks at its start. What is larger is judged
// by its size, and compared when it is planned.
const pastReads = 64 << 20

// mayRead takes from what may be read.
func (l *pastLook) mayRead(bytes int64) bool {
	switch {
	case l.spare < 0:
		return true
	case bytes > l.spare:
		return false
	}
	l.spare -= bytes
	return true
}

// past reads the journal. The error is that of ctx.
func (d *deps) past(ctx context.Context, dirs []string) (*pastLook, error) {
	l := &pastLook{d: d, dirs: dirs, spare: -1, client: d.client(ctx, &backupRows{dirs: dirs}), shelf: d.newShelf(dirs)}
	if d.journalDir() == "" {
		return l, nil
	}
	entries, problems := d.journal().List(ctx)
	l.entries = entries
	for _, err := range problems {
		l.problems = append(l.problems, sentence(err.Error()))
	}
	return l, ctx.Err()
}

// wayBack is what taking an action back comes to. Nothing was touched for it.
type wayBack struct {
	entry journal.Entry
	made  journal.Entry // that taking it back makes: its kind, what it is called, and what undoes that
	back  bool          // it was taken back
	off   string        // why it cannot be, in a word or two: "trash emptied"; "" it can
	why   []string      // the same in sentences
	hints []string      // commands for a part of it
	deeds []deedBack    // of trashes
	trash *discarding   // backups that go there
	files []fileBack    // documents, in the order in which they go back
	plan  *deedPlan

	ledgers []ledgerBack // files of ledgers, the last first
	way     *act.Way     // of an action that sessions/act carried out
	newer   *wayBack     // the newest that was passed over for this one because it was changed since
}

// deedBack is what taking back a deed does.
type deedBack struct {
	project string
	undone  backup.Undone
}

// refuse says why an action cannot be taken back: the first reason counts for the column.
func (w *wayBack) refuse(off string, why ...string) {
	if w.off == "" {
		w.off = off
	}
	w.why = append(w.why, why...)
}

// takenBack begins the name of an entry that took another one back.
const takenBack = "Took back: "

// nothingDone says so of an action that was interrupted.
const nothingDone = "It was interrupted before anything was done."

// wayBack finds the way back from an action. The error is that of ctx.
func (l *pastLook) wayBack(ctx context.Context, e *journal.Entry) (*wayBack, error) {
	w := &wayBack{entry: *e, plan: &deedPlan{report: deedJSON{Action: "undo"}}}
	w.made = journal.Entry{Kind: journal.Undo, Of: e.ID, What: takenBack + lowerFirst(e.What), Where: slices.Clone(e.Where)}
	kind := e.Kind
	if e.Kind == journal.Undo {
		w.made.What = upperFirst(strings.TrimSuffix(strings.TrimPrefix(e.What, takenBack), " again")) + " again"
		kind, _ = journal.KindOf(e.Of)
		w.made.Kind = kind
	}
	var err error
	switch {
	case e.Undone != "":
		w.back = true
	case len(e.Ops) > 0:
		err = l.lookOps(ctx, w)
	case e.Kind == journal.EmptyTrash:
		w.refuse("gone for good", "What is deleted from a trash is gone.")
	case kind == journal.Discard && e.Kind == journal.Undo:
		err = l.toTrash(ctx, w, e.Made)
	case kind == journal.Backup && e.Kind != journal.Undo:
		if w.entry.Made, err = l.madeBy(ctx, e); err != nil {
			break
		}
		if len(w.entry.Made) == 0 {
			w.refuse("nothing done", nothingDone)
			break
		}
		err = l.toTrash(ctx, w, w.entry.Made)
	case kind == journal.Save || kind == journal.Stage:
		l.lookFiles(w)
	case kind == journal.Note:
		l.lookLedgers(ctx, w)
	case kind == journal.Restore && e.Kind == journal.Undo:
		w.refuse("restore again", "Restore the backup again: that is an action of its own.")
	case kind == journal.Prune && e.Kind == journal.Undo:
		w.refuse("prune again", "Prune again: that is an action of its own.")
	case kind == "":
		w.refuse("do it again", "What was taken back is not in the journal. Do it again by its own command.")
	default:
		err = l.lookDeeds(ctx, w)
	}
	if err == nil {
		l.draw(w)
	}
	return w, errors.Join(err, ctx.Err())
}

// deedsOf are the deeds of an action: those that its entry names, and of an interrupted one those of its time that no
// entry names.
func (l *pastLook) deedsOf(ctx context.Context, e *journal.Entry) []journal.Deed {
	deeds := slices.Clone(e.Deeds)
	if e.Done {
		return deeds
	}
	kind := backup.DeedKind(e.Kind)
	if e.Kind == journal.Undo {
		kind = backup.DeedDiscard // of backups that were made
	}
	for _, project := range e.Where {
		m, err := backup.OpenMemory(project)
		if err != nil {
			continue
		}
		found, _ := m.Deeds(ctx) // what cannot be read is none of ours
		_ = m.Close()            // it was only read
		for i := range found {
			next := journal.Deed{Project: project, ID: found[i].ID}
			named := func(e journal.Entry) bool { return slices.Contains(e.Deeds, next) }
			if found[i].Kind == kind && found[i].At.Equal(e.At) && !slices.ContainsFunc(l.entries, named) {
				deeds = append(deeds, next)
			}
		}
	}
	return deeds
}

// madeBy are the backups that an action made: those that its entry names, and of an interrupted one those that a person
// asked for from then on until the next one of its kind, and that no entry names. The error is that of ctx.
func (l *pastLook) madeBy(ctx context.Context, e *journal.Entry) ([]journal.Made, error) {
	made := slices.Clone(e.Made)
	if e.Done || e.Of != "" {
		return made, nil
	}
	named := map[string]bool{}
	var next time.Time
	for i := range l.entries {
		o := &l.entries[i]
		for _, m := range o.Made {
			named[m.Path] = true
		}
		if o.Kind == journal.Backup && o.Of == "" && o.At.After(e.At) { // they are newest first
			next = o.At
		}
	}
	var sums recordedSums
	for _, project := range e.Where {
		list, _ := l.shelf.of(ctx, project) // what cannot be read is none of ours
		for i := range list {
			r := &list[i].row
			asked := r.Name == reasonManual || r.Name == reasonMissed
			if asked && !named[r.Path] && !r.Created.Before(e.At) && (next.IsZero() || r.Created.Before(next)) {
				made = append(made, journal.Made{Path: r.Path, Sum: sums.sum(&list[i])})
			}
		}
	}
	return made, ctx.Err()
}

// interrupted reports whether taking an action back was, so that what is missing may have been taken back by it. What
// takes back an Undo is of the kind of what is done again.
func (l *pastLook) interrupted(id string) bool {
	return slices.ContainsFunc(l.entries, func(e journal.Entry) bool { return e.Of == id && !e.Done })
}

// lookDeeds plans to take back what is in trashes, all of it or nothing.
func (l *pastLook) lookDeeds(ctx context.Context, w *wayBack) error {
	deeds := l.deedsOf(ctx, &w.entry)
	taken := 0
	for _, deed := range deeds {
		u, err := l.planDeed(ctx, deed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch gone := errors.Is(err, backup.ErrNoDeed); {
		case err == nil:
			w.deeds = append(w.deeds, deedBack{deed.Project, u})
		case gone && l.interrupted(w.entry.ID):
			taken++
		case gone:
			w.refuse("trash emptied", "It is not in the trash of "+baseName(deed.Project)+" any more.")
		default:
			l.refuseDeed(w, deed.Project, &u, err)
		}
	}
	switch {
	case len(deeds) == 0:
		w.refuse("nothing done", nothingDone)
	case taken == len(deeds):
		w.back = true
	case w.off != "" && len(deeds) > 1:
		for i := range w.deeds {
			w.hints = append(w.hints, shellLine([]string{"continuo", "backup", "undo", w.deeds[i].undone.Deed.ID, "--project", w.deeds[i].project}))
		}
	}
	for i := range w.deeds {
		for _, v := range w.deeds[i].undone.Moves {
			w.made.Made = append(w.made.Made, journal.Made{Path: v.Path})
		}
	}
	if w.made.Kind == journal.Backup {
		l.sums(w)
	}
	return nil
}

// planDeed plans to take back a deed. Where all of its backups are gone the error is ErrNoDeed, as if it were.
func (l *pastLook) planDeed(ctx context.Context, deed journal.Deed) (backup.Undone, error) {
	m, err := backup.OpenMemory(deed.Project)
	if err != nil {
		return backup.Undone{}, err
	}
	defer func() { _ = m.Close() }() // it is only read
	if u := l.bySize(ctx, m, deed.ID); u != nil {
		return *u, nil
	}
	u, err := m.PlanUndo(ctx, deed.ID, l.client)
	if err == nil && len(u.Gone) > 0 && len(u.Moves)+len(u.Markers) == 0 {
		err = backup.ErrNoDeed
	}
	return u, err
}

// bySize is what taking back a restore seems to do, where its file is too large to be read now and has its size; else
// nil.
func (l *pastLook) bySize(ctx context.Context, m *backup.Memory, id string) *backup.Undone {
	if l.spare < 0 {
		return nil
	}
	deeds, _ := m.Deeds(ctx) // what cannot be read says so when it is planned
	i := slices.IndexFunc(deeds, func(d backup.Deed) bool { return d.ID == id })
	if i < 0 || deeds[i].Made == nil || l.mayRead(2*deeds[i].Made.Bytes) {
		return nil
	}
	made := deeds[i].Made
	if fi, err := os.Lstat(made.Path); err != nil || fi.Size() != made.Bytes {
		return nil
	}
	return &backup.Undone{Deed: deeds[i], Markers: deeds[i].Markers, Removed: made.Path}
}

// sums takes over what is known of backups that come back, from the entry that made them.
func (l *pastLook) sums(w *wayBack) {
	for i := range l.entries {
		for _, m := range l.entries[i].Made {
			for j := range w.made.Made {
				if own := &w.made.Made[j]; l.entries[i].Kind == journal.Backup && own.Path == m.Path && own.Sum == "" {
					own.Sum = m.Sum
				}
			}
		}
	}
}

// refuseDeed says why a deed cannot be taken back.
func (l *pastLook) refuseDeed(w *wayBack, project string, u *backup.Undone, err error) {
	f := asFailure(l.d.memoryFailure(project, err))
	_, taken := errors.AsType[*backup.TakenError](err)
	made := u.Deed.Made
	off := "cannot be read"
	switch {
	case taken:
		off = "place is taken"
	case errors.Is(err, backup.ErrNoMemory):
		off = "project gone"
	case errors.Is(err, backup.ErrLive):
		off = "resumed since"
		f.what = "The session is live, so its file stays. Close it first."
	case errors.Is(err, backup.ErrChanged):
		off = "changed since"
		f = &failure{what: "The file that was made, or its backup, is not what it was, so it stays."}
		if made == nil {
			break
		}
		if fi, err := os.Stat(made.Path); err == nil && fi.Size() > made.Bytes {
			off = "resumed since"
			f.what = "Somebody has gone on with the session, so its file stays."
		}
	case errors.Is(err, backup.ErrBadDeed):
		off = "trash damaged"
	}
	w.refuse(off, append([]string{f.what}, f.facts...)...)
}

// toTrash plans to move backups that were made, or came back, to the trash again. Those that are not there any more are
// left out, as long as there is one.
func (l *pastLook) toTrash(ctx context.Context, w *wayBack, made []journal.Made) error {
	paths := map[string][]string{}
	var gone []string
	var bytes int64
	for _, m := range made {
		if fi, err := os.Lstat(m.Path); err == nil {
			bytes += fi.Size()
		}
	}
	compared := l.mayRead(3 * bytes) // its sum, and with its transcript
	for _, m := range made {
		project := memoryProject(m.Path)
		if _, err := os.Lstat(m.Path); err != nil || project == "" {
			gone = append(gone, m.Path)
			continue
		}
		if m.Sum != "" && compared {
			verdict, err := backup.Verify(ctx, m.Path, m.Sum, "")
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || verdict != backup.VerdictSum {
				w.refuse("changed since", cleanPath(m.Path)+" is not what was made, so it stays.")
			}
		}
		paths[project] = append(paths[project], m.Path)
	}
	if len(paths) == 0 {
		w.refuse("gone since", "No backup of it is in its place any more.")
	}
	if w.off == "" && !compared {
		w.plan.add("Touched", render.PlanLine{Text: count(len(made)-len(gone), "file") + ", " + render.Size(bytes) + ", to the trash"})
	}
	if w.off != "" || !compared {
		return nil
	}
	rows, err := l.shelf.in(ctx, paths)
	if err != nil {
		return err
	}
	w.trash, err = l.d.planEach(ctx, rows, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.refuse("cannot be read", asFailure(err).what)
		return nil
	}
	w.trash.others = nil // it goes without saying
	for _, path := range gone {
		w.why = append(w.why, strings.TrimSuffix(baseName(path), ".jsonl")+" is gone already")
	}
	return nil
}

func lowerFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
