package cli

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// editNotes changes NOTES.md: change makes the new text of what is there then, and the entry of the journal that takes it
// back, which is written before. thing names it where that fails, there reports whether a text has the change. id is that of
// the entry, "" none is left; but is what went wrong besides.
func (d *deps) editNotes(ctx context.Context, p *ledger.Project, thing string, change func(was []byte) ([]byte, journal.Entry, error), there func(text []byte) bool) (id, but string, err error) {
	var a *action
	err = ledger.Edit(ctx, p.Root, p.Notes, ledger.MaxNotes, func(was []byte) ([]byte, error) {
		now, entry, err := change(was)
		if err != nil {
			return nil, err
		}
		earlier := a
		if a = d.begin(ctx, entry); a.lost != nil {
			return nil, d.notKept(thing, a.lost)
		}
		if earlier != nil { // somebody wrote in between
			_ = earlier.end(ctx, true) // it says what the new one says
		}
		return now, nil
	})
	switch {
	case a == nil || a.lost != nil:
		return "", "", d.notesFailure(p, err)
	case err == nil:
		return a.entry.ID, a.end(ctx, false), nil
	}
	if text, _, failed := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes); failed != nil || !there(text) {
		return "", a.end(ctx, true), d.notesFailure(p, err)
	}
	return a.entry.ID, "", d.notesFailure(p, err) // it is there, and can be taken back as one that was interrupted
}

// rewriteNotes puts another text in the place of NOTES.md: change makes it of what is there then. what names that for the
// journal, which keeps what was. The answer is that of editNotes.
func (d *deps) rewriteNotes(ctx context.Context, p *ledger.Project, what string, change func(was []byte) ([]byte, error)) (id, but string, err error) {
	sum := ""
	return d.editNotes(ctx, p, "this", func(was []byte) (now []byte, entry journal.Entry, err error) {
		if now, err = change(was); err != nil {
			return nil, entry, err
		}
		if len(was) > journal.MaxBefore {
			return nil, entry, &failure{what: d.tilde(p.Notes) + " has more than 1 MB, and what it was could not be kept for undo. Mend it yourself."}
		}
		sum = sumOf(now)
		return now, journal.Entry{Kind: journal.Note, What: what, Where: []string{p.Root}, Made: []journal.Made{{Path: p.Notes, Sum: sum, Before: was, Mode: 0o600}}}, nil
	}, func(text []byte) bool { return sumOf(text) == sum })
}

// notesEntry is the entry of an insertion into NOTES.md, of which now is made; it takes out that text alone.
func notesEntry(p *ledger.Project, what string, was, now []byte, place *notes.Insertion) journal.Entry {
	made := journal.Made{Path: p.Notes, Sum: sumOf(now), Added: place.Text, At: int64(place.At)}
	if was != nil {
		made.Before, made.Mode = []byte{}, 0o600
	}
	return journal.Entry{Kind: journal.Note, What: what, Where: []string{p.Root}, Made: []journal.Made{made}}
}

// recordCheckpoint writes the time of a gate that was passed into NOTES.md.
func (d *deps) recordCheckpoint(ctx context.Context, p *ledger.Project, at time.Time) (id, but string, err error) {
	return d.rewriteNotes(ctx, p, "Noted the last checkpoint", func(was []byte) ([]byte, error) {
		now, _, ok := notes.Parse(was).Checkpointed(at)
		if !ok {
			return nil, &failure{what: "NOTES.md has no Session Continuity, so the checkpoint has no place there. continuo note handoff makes one."}
		}
		return now, nil
	})
}
