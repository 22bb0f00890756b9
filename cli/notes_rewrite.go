package cli

import (
	"context"
	"errors"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// rewriteNotes puts another text in the place of NOTES.md: change makes it of what is there then. what names that for the
// journal, which keeps what was; id is that of its entry. but is what went wrong besides.
func (d *deps) rewriteNotes(ctx context.Context, p *ledger.Project, what string, change func(was []byte) ([]byte, error)) (id, but string, err error) {
	var a *action
	sum := ""
	err = ledger.Edit(ctx, p.Root, p.Notes, ledger.MaxNotes, func(was []byte) ([]byte, error) {
		now, err := change(was)
		if err != nil {
			return nil, err
		}
		if len(was) > journal.MaxBefore {
			return nil, &failure{what: d.tilde(p.Notes) + " has more than 1 MB, and what it was could not be kept for undo. Mend it yourself."}
		}
		sum = sumOf(now)
		entry := journal.Entry{Kind: journal.Note, What: what, Where: []string{p.Root}, Made: []journal.Made{{Path: p.Notes, Sum: sum, Before: was, Mode: 0o600}}}
		earlier := a
		if a = d.begin(ctx, entry); a.lost != nil {
			return nil, d.notKept("this", a.lost)
		}
		if earlier != nil { // somebody wrote in between
			_ = earlier.end(ctx, true) // it says what the new one says
		}
		return now, nil
	})
	if a == nil || a.lost != nil {
		return "", "", d.notesFailure(p, err)
	}
	if err != nil {
		if text, _, failed := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes); failed != nil || sumOf(text) != sum {
			but = a.end(ctx, true)
		}
		return "", but, d.notesFailure(p, err)
	}
	return a.entry.ID, a.end(ctx, false), nil
}

// errNoContinuity says that there is no section that could say when the last checkpoint was.
var errNoContinuity = errors.New("no Session Continuity")

// recordCheckpoint writes the time of a gate that was passed into NOTES.md.
func (d *deps) recordCheckpoint(ctx context.Context, p *ledger.Project, at time.Time) (id, but string, err error) {
	return d.rewriteNotes(ctx, p, "Noted the last checkpoint", func(was []byte) ([]byte, error) {
		now, _, ok := notes.Parse(was).Checkpointed(at)
		if !ok {
			return nil, &failure{what: "NOTES.md has no Session Continuity, so the checkpoint has no place there. continuo note handoff makes one.", cause: errNoContinuity}
		}
		return now, nil
	})
}
