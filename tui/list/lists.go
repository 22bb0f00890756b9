package list

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// lists are the rows of all kinds, and which of them are listed.
type lists struct {
	scope scope
	panes [3]*pane
	pane  *pane // that is shown

	loading bool
	slow    bool // loading takes long enough to say so
}

// of is the list of a kind.
func (r *lists) of(kind sessions.Kind) *pane {
	for _, l := range r.panes {
		if l.kind == kind {
			return l
		}
	}
	return r.pane
}

// Listed is the project that is listed, "" all.
func (r *lists) Listed() string {
	if r.scope.wide() {
		return ""
	}
	return r.scope.project
}

// Kind is that of the rows that are shown.
func (r *lists) Kind() sessions.Kind { return r.pane.kind }

// Tally counts the rows of a kind.
func (r *lists) Tally(kind sessions.Kind) *Tally { return &r.of(kind).tally }

// Rows are all rows of a kind, listed or not, in no order.
func (r *lists) Rows(kind sessions.Kind) iter.Seq[*sessions.Row] { return r.of(kind).rows() }

// Unsaved is how many sessions ended without a backup.
func (r *lists) Unsaved() int { return r.of(sessions.KindSession).tally.Unsaved }

// Held is the row of a path, listed or not; nil there is none.
func (r *lists) Held(path string) *sessions.Row {
	for _, l := range r.panes {
		if row := l.heldRow(path); row != nil {
			return row
		}
	}
	return nil
}

// Project is the one that is listed while not all are; "" none.
func (r *lists) Project() string { return r.scope.project }

// ChainStatus draws the chain of a document flat, in so many cells; nil when it is in none, or not all of it is known yet.
func (r *lists) ChainStatus(path string, now time.Time, width int) []render.Span {
	if r.scope.partial {
		return nil
	}
	return r.of(sessions.KindDocument).chainStatus(path, now, width)
}

// Load says that all rows are read again. What is there stays until it is replaced.
func (r *lists) Load() { r.loading, r.slow, r.scope.missing = true, false, nil }

// Slow says that it takes long enough to say so.
func (r *lists) Slow() { r.slow = true }

// Drop takes rows out: they left by what was done here, so nothing says that they were deleted.
func (r *lists) Drop(path string) {
	for _, l := range r.panes {
		delete(l.held, path)
	}
}

// relist sorts all rows again, those that are not shown as well: their tabs show how many there are.
func (r *lists) relist() {
	for _, l := range r.panes {
		l.sort()
	}
}

// missingCells is the most that is kept of an error: a folder that a transcript names can be of any length.
const missingCells = 400

// couldNot keeps what could not be looked at, each once: it stands at the end of the list.
func (r *lists) couldNot(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			r.couldNot(err)
		}
		return
	}
	text := words.CutMiddle(transcript.CleanLine(screen.Sentence(err, r.scope.home)), missingCells)
	if !slices.Contains(r.scope.missing, text) {
		r.scope.missing = append(r.scope.missing, text)
	}
}

// IsLoading reports whether rows are read.
func (r *lists) IsLoading() bool { return r.loading }

// IsPartial reports whether only the newest rows are there, so that no count is known.
func (r *lists) IsPartial() bool { return r.scope.partial }

// Newest is the newest session of some in projects, nil none.
func (r *lists) Newest(in []string, is func(*sessions.Row) bool) *sessions.Row {
	var newest *sessions.Row
	for row := range r.Rows(sessions.KindSession) {
		if row.Deleted || !slices.Contains(in, row.Project) || !is(row) {
			continue
		}
		if newest == nil || row.Compare(newest) < 0 {
			newest = row
		}
	}
	return newest
}

// Progress is how many of the rows that are shown are read to their end while the rest is; total 0: all are, or that isn't
// known.
func (r *lists) Progress() (exact, total int) {
	if t := &r.pane.tally; r.loading && t.Exact < t.Total && !r.scope.partial {
		return t.Exact, t.Total
	}
	return 0, 0
}

// IsTyping reports whether something is typed into the field of the list.
func (r *lists) IsTyping() bool { return r.pane.typing }
