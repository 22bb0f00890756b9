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

// lists has the rows of all kinds, and the scope that is listed.
type lists struct {
	scope scope
	panes [3]*pane
	pane  *pane // the list that is shown

	loading bool
	slow    bool // loading takes so long that a message is shown
}

func (r *lists) of(kind sessions.Kind) *pane {
	for _, l := range r.panes {
		if l.kind == kind {
			return l
		}
	}
	return r.pane
}

// Listed returns the listed project, or "" for all projects.
func (r *lists) Listed() string {
	if r.scope.wide() {
		return ""
	}
	return r.scope.project
}

// Tally returns the counts of a kind of rows.
func (r *lists) Tally(kind sessions.Kind) *Tally { return &r.of(kind).tally }

// Rows returns all rows of a kind, listed or not. The order is undefined.
func (r *lists) Rows(kind sessions.Kind) iter.Seq[*sessions.Row] { return r.of(kind).rows() }

// Unsaved returns how many sessions ended without a backup.
func (r *lists) Unsaved() int { return r.of(sessions.KindSession).tally.Unsaved }

// Held returns the row with a path, listed or not, or nil.
func (r *lists) Held(path string) *sessions.Row {
	for _, l := range r.panes {
		if row := l.heldRow(path); row != nil {
			return row
		}
	}
	return nil
}

// Project returns the project of the scope, or "". It is the same while all projects are listed.
func (r *lists) Project() string { return r.scope.project }

// ChainStatus draws the chain of a document as one line. It returns nil without a chain, or if not all rows are known.
func (r *lists) ChainStatus(path string, now time.Time, width int) []render.Span {
	if r.scope.partial {
		return nil
	}
	return r.of(sessions.KindDocument).docs.chainStatus(path, now, width)
}

// Load begins a new read of all rows. The old rows stay until new rows replace them.
func (r *lists) Load() { r.loading, r.slow, r.scope.missing = true, false, nil }

// Slow is called when reading takes so long that a message should be shown.
func (r *lists) Slow() { r.slow = true }

// Drop removes a row. The list doesn't show this row as deleted.
func (r *lists) Drop(path string) {
	for _, l := range r.panes {
		l.drop(path)
	}
}

// relist sorts and counts the rows of all kinds, because each tab shows a count.
func (r *lists) relist() {
	r.listLost()
	for _, l := range r.panes {
		l.sort()
	}
}

// missingCells is the maximum width of an error, in cells.
const missingCells = 400

// couldNot stores each error of a batch once.
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

// IsLoading reports whether rows are being read.
func (r *lists) IsLoading() bool { return r.loading }

// IsPartial reports whether only the newest rows are known. Then no count is known.
func (r *lists) IsPartial() bool { return r.scope.partial }

// Newest returns the newest matching session in the given projects, or nil.
func (r *lists) Newest(in []string, match func(*sessions.Row) bool) *sessions.Row {
	var newest *sessions.Row
	for row := range r.Rows(sessions.KindSession) {
		if row.Deleted || !slices.Contains(in, row.Project) || !match(row) {
			continue
		}
		if newest == nil || row.Compare(newest) < 0 {
			newest = row
		}
	}
	return newest
}

// Progress returns how much of the shown list is read; zero if nothing is being read.
func (r *lists) Progress() Progress {
	switch t := &r.pane.tally; {
	case r.scope.partial && r.slow && t.Total < r.scope.found:
		return Progress{Newest: t.Total, Total: r.scope.found, Bytes: r.scope.foundBytes}
	case r.loading && t.Exact < t.Total && !r.scope.partial:
		return t.Progress
	}
	return Progress{}
}

// IsTyping reports whether a filter is being typed.
func (r *lists) IsTyping() bool { return r.pane.typing }

// hasProject reports whether the key for the scope can switch between one project and all projects.
func (r *lists) hasProject() bool {
	return r.pane.tally.Total > 0 && (!r.scope.wide() || r.nextProject() != "")
}

// nextProject returns the project for the scope key: the selected row's project, or else the last listed one.
func (r *lists) nextProject() string {
	if row := r.pane.selectedRow(); row != nil && row.Project != "" {
		return row.Project
	}
	return r.scope.project
}

// scopeWord returns the word for the scope key, or "" for the default.
func (r *lists) scopeWord() string {
	if r.scope.wide() {
		return "this project"
	}
	return ""
}

// Filtered returns the text of the shown list's filter.
func (r *lists) Filtered() string { return r.pane.field.Text() }
