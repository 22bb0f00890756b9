package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// journalDir is where the journal lies: $XDG_STATE_HOME/continuo/journal, else ~/.local/state/continuo/journal; "" without
// a home. What is done in a demo is not among what was done.
func (d *deps) journalDir() string {
	dir := d.stateDir()
	switch {
	case d.madeUp:
		dir = filepath.Join(d.home, ".local", "state", "continuo")
	case dir == "":
		return ""
	}
	return filepath.Join(dir, "journal")
}

// journal is what was written by continuo, a command or the browser.
func (d *deps) journal() *journal.Store { return journal.Open(d.journalDir()) }

// action is something that writes, of which the journal is told before and after.
type action struct {
	d     *deps
	entry journal.Entry
	lost  error // why the journal does not know of it
}

var errNoState = errors.New("HOME is not set")

// begin tells the journal what is about to happen: e says what, where, and of a save all that takes it back. It happens
// all the same where that fails, but for a save: what was before lies nowhere else.
func (d *deps) begin(ctx context.Context, e journal.Entry) *action {
	e.At = d.now()
	slices.Sort(e.Where)
	e.Where = slices.Compact(e.Where)
	a := &action{d: d, entry: e}
	if d.journalDir() == "" {
		a.lost = errNoState
		return a
	}
	if begun, err := d.journal().Begin(ctx, e); err != nil {
		a.lost = err
	} else {
		a.entry = begun
	}
	return a
}

// at is the time that whatever is done now has to be of: it tells which deed is of which entry, should this be
// interrupted.
func (a *action) at() time.Time { return a.entry.At }

// deed notes what lies in a trash now; one without an id is none.
func (a *action) deed(project string, deed *backup.Deed) bool {
	if deed.ID == "" {
		return false
	}
	a.entry.Deeds = append(a.entry.Deeds, journal.Deed{Project: project, ID: deed.ID})
	return true
}

// note writes down what was done so far, where nothing else tells after a crash.
func (a *action) note(ctx context.Context) {
	if a.lost == nil {
		a.lost = a.d.rewrite(ctx, a.entry)
	}
}

// rewrite writes an entry again. One that has left the journal by now is none that continuo undo has to know.
func (d *deps) rewrite(ctx context.Context, e journal.Entry) error {
	err := d.journal().Finish(context.WithoutCancel(ctx), e)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// end tells the journal what was done; an action of which nothing came leaves it. The answer is a sentence for the person
// where continuo undo does not know of what was done, else "".
func (a *action) end(ctx context.Context, nothing bool) string {
	switch {
	case nothing && a.lost == nil:
		a.lost = a.d.journal().Forget(ctx, a.entry.ID)
	case nothing:
		return ""
	case a.lost == nil:
		a.entry.Done = true
		a.note(ctx)
	}
	if a.lost == nil {
		return ""
	}
	return lostText(a.lost)
}

func lostText(err error) string {
	return "The journal could not be written, so continuo undo does not know all of this: " + strings.TrimSuffix(reason(err), ".") + "."
}
