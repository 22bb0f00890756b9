package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// wentBack is what was taken back.
type wentBack struct {
	entries []string // of the trash, that have backups now
	files   int      // documents, and files of ledgers
	removed int      // of these, that are gone
	words   string   // what was done; "" see files
	lost    string   // what the journal does not know; "" it knows all
}

// some reports whether anything was.
func (b *wentBack) some() bool { return b.words != "" || b.files > 0 }

// said says so.
func (b *wentBack) said() string {
	if b.words != "" {
		return b.words
	}
	back := b.files - b.removed
	switch {
	case b.removed == 0:
		return "Back: " + count(back, "file") + "."
	case back == 0:
		return "Removed: " + count(b.removed, "file") + "."
	}
	return "Back: " + count(back, "file") + ". Removed: " + count(b.removed, "file") + "."
}

// goBack takes an action back, as it was planned; what is not as it was then is left alone, and the error says so. What
// was done before that is in the answer.
func (l *pastLook) goBack(ctx context.Context, w *wayBack) (done wentBack, err error) {
	switch {
	case w.trash != nil:
		return l.trashAgain(ctx, w)
	case w.files != nil:
		return l.filesBack(ctx, w)
	case w.ledgers != nil:
		return l.ledgersBack(ctx, w)
	}
	return l.opsBack(ctx, w)
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
	x, err := l.d.discard(ctx, w.trash, change.Change{Kind: string(w.made.Kind), Of: w.made.Of, What: w.made.What})
	if err != nil {
		return done, err
	}
	done.words, done.lost = saidOps(x.Ops), lostBy(&x.Done)
	for _, id := range x.entries {
		done.entries = append(done.entries, id)
	}
	return done, nil
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
