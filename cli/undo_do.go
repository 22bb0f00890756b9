package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// wentBack is what was taken back.
type wentBack struct {
	undone  []backup.Undone // deeds
	trashed int             // backups that are in the trash
	entries []string        // of the trash, that have them
	files   int             // documents, and files of ledgers
	removed int             // of these, that are gone
	words   string          // what was done to the file of a ledger; "" none was
	lost    string          // what the journal does not know; "" it knows all
}

// some reports whether anything was.
func (b *wentBack) some() bool { return len(b.undone)+b.trashed+b.files > 0 }

// said says so.
func (b *wentBack) said() string {
	if b.words != "" {
		return b.words
	}
	if b.trashed > 0 {
		if b.trashed == 1 {
			return "1 backup is in the trash."
		}
		return count(b.trashed, "backup") + " are in the trash."
	}
	if b.files > 0 {
		back := b.files - b.removed
		switch {
		case b.removed == 0:
			return "Back: " + count(back, "file") + "."
		case back == 0:
			return "Removed: " + count(b.removed, "file") + "."
		}
		return "Back: " + count(back, "file") + ". Removed: " + count(b.removed, "file") + "."
	}
	all := backup.Undone{}
	for _, u := range b.undone {
		all.Moves, all.Markers = append(all.Moves, u.Moves...), append(all.Markers, u.Markers...)
		if u.Removed != "" {
			all.Removed = u.Removed
		}
	}
	return undoSaid(&all)
}

// goBack takes an action back, as it was planned; what is not as it was then is left alone, and the error says so. What
// was done before that is in the answer.
func (l *pastLook) goBack(ctx context.Context, w *wayBack) (done wentBack, err error) {
	switch {
	case w.way != nil:
		return l.opsBack(ctx, w)
	case w.trash != nil:
		return l.trashAgain(ctx, w)
	case w.files != nil:
		return l.filesBack(ctx, w)
	case w.ledgers != nil:
		return l.ledgersBack(ctx, w)
	}
	a := l.d.begin(ctx, w.made)
	of := w.entry
	err = l.deedsBack(ctx, w, a, &of, &done)
	done.lost = l.end(ctx, a, &of, !done.some())
	return done, err
}

func (l *pastLook) deedsBack(ctx context.Context, w *wayBack, a *action, of *journal.Entry, done *wentBack) error {
	of.Deeds = nil // of an interrupted one they were found
	for i := range w.deeds {
		of.Deeds = append(of.Deeds, journal.Deed{Project: w.deeds[i].project, ID: w.deeds[i].undone.Deed.ID})
	}
	for i := range w.deeds {
		project, id := w.deeds[i].project, w.deeds[i].undone.Deed.ID
		var u backup.Undone
		m, err := l.d.openMemory(project)
		if err == nil {
			u, err = m.Undo(ctx, id, l.client)
			_ = m.Close() // what was written was synced
		}
		if err != nil {
			a.entry.Made = slices.DeleteFunc(a.entry.Made, func(f journal.Made) bool { return !done.holds(f.Path) })
			return l.d.memoryFailure(project, err)
		}
		done.undone = append(done.undone, u)
		a.took(of, project, id)
	}
	return nil
}

// holds reports whether a backup came back.
func (b *wentBack) holds(path string) bool {
	return slices.ContainsFunc(b.undone, func(u backup.Undone) bool {
		return slices.ContainsFunc(u.Moves, func(m backup.Move) bool { return m.Path == path })
	})
}

// took notes in an entry that one of its deeds was taken back: the others still take back what they did.
func (a *action) took(of *journal.Entry, project, id string) {
	of.Deeds = slices.DeleteFunc(of.Deeds, func(deed journal.Deed) bool { return deed == journal.Deed{Project: project, ID: id} })
	if len(of.Deeds) == 0 {
		of.Undone = a.entry.ID
	}
}

// end tells the journal what was taken back, and of which entry.
func (l *pastLook) end(ctx context.Context, a *action, of *journal.Entry, nothing bool) string {
	if !nothing && a.lost == nil && of.ID != "" {
		// First the one that was taken back: the other way round it would look as if its trash were emptied.
		a.lost = l.d.rewrite(ctx, *of)
	}
	return a.end(ctx, nothing)
}

// trashAgain moves backups to the trash.
func (l *pastLook) trashAgain(ctx context.Context, w *wayBack) (done wentBack, err error) {
	x, err := l.d.discard(ctx, w.trash, journal.Entry{Kind: w.made.Kind, Of: w.made.Of, What: w.made.What})
	done.trashed, done.entries, done.lost = x.backups(), x.entries, x.lost
	if done.trashed == 0 || x.lost != "" {
		return done, err
	}
	of := w.entry
	of.Made = slices.DeleteFunc(slices.Clone(of.Made), func(f journal.Made) bool {
		return slices.ContainsFunc(x.deeds, func(deed backup.Deed) bool {
			return slices.ContainsFunc(deed.Moves, func(m backup.Move) bool { return m.Path == f.Path })
		})
	})
	if err == nil {
		of.Made, of.Undone = w.entry.Made, x.id
	}
	if failed := l.d.rewrite(ctx, of); failed != nil {
		done.lost = lostText(failed)
	}
	return done, err
}

// filesBack puts documents back, one after the other. What is there now is in the journal before that, or nothing
// is done.
func (l *pastLook) filesBack(ctx context.Context, w *wayBack) (done wentBack, err error) {
	a := l.d.begin(ctx, w.made)
	if a.lost != nil {
		return done, &failure{what: "Nothing was done: what the files have now could not be kept in the journal.", facts: []string{a.lost.Error()}, cause: a.lost}
	}
	of := w.entry
	err = l.eachFileBack(ctx, w, a, &of, &done)
	done.lost = l.end(ctx, a, &of, !done.some())
	return done, err
}

func (l *pastLook) eachFileBack(ctx context.Context, w *wayBack, a *action, of *journal.Entry, done *wentBack) error {
	a.entry.Made = nil
	for i := range w.files {
		f := &w.files[i]
		if !f.same {
			if err := f.put(ctx); err != nil {
				return l.fileFailure(f, err)
			}
			done.files++
			if f.made.Before == nil {
				done.removed++
			}
			a.entry.Made = append(a.entry.Made, f.was)
		}
		of.Made = slices.DeleteFunc(slices.Clone(of.Made), func(m journal.Made) bool { return m.Path == f.made.Path })
	}
	of.Made, of.Undone = w.entry.Made, a.entry.ID
	return nil
}

func (l *pastLook) fileFailure(f *fileBack, err error) error {
	path := l.d.tilde(f.made.Path)
	if errors.Is(err, backup.ErrChanged) {
		return &failure{what: path + " was changed since, so it is left alone.", cause: err}
	}
	return &failure{what: path + " stays: " + reason(err) + ".", cause: err}
}

// ofDeed is the entry of the journal whose deed lies in a trash; it has no id where none is.
func (l *pastLook) ofDeed(ctx context.Context, project, id string) journal.Entry {
	want := journal.Deed{Project: project, ID: id}
	for _, e := range l.entries {
		if slices.Contains(e.Deeds, want) {
			return e
		}
	}
	for _, e := range l.entries {
		if deeds := l.deedsOf(ctx, &e); slices.Contains(deeds, want) {
			e.Deeds = deeds
			return e
		}
	}
	return journal.Entry{}
}

// undoneDeed is what the journal is told of a deed that is taken back by itself: e is the entry, of is that of the
// action, if there is one.
func (l *pastLook) undoneDeed(ctx context.Context, t *trashEntry, u *backup.Undone) (e, of journal.Entry) {
	of = l.ofDeed(ctx, t.project, t.deed.ID)
	what := t.what()
	if made := t.deed.Made; made != nil {
		what = "restored " + shortID(filepath.Base(made.Path))
	}
	e = journal.Entry{Kind: journal.Undo, Of: of.ID, What: takenBack + what, Where: []string{t.project}}
	for _, m := range u.Moves {
		e.Made = append(e.Made, journal.Made{Path: m.Path})
	}
	return e, of
}
