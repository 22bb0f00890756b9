package list

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Tally has counts of the rows of one kind.
type Tally struct {
	Shown, InScope          int            // visible rows in all projects, and in the scope
	Gone, GoneHere          int            // deleted rows among Shown and InScope; displayed counts leave them out
	HiddenRuns, HiddenStubs int            // numbers of hidden rows in the scope
	HiddenArchived          int            // number of hidden rows in the scope
	Progress                               // progress of all rows
	Pending, Unsaved        int            // counts of all rows; Unsaved ended without a backup
	PendingHere             int            // number of pending backups in the scope
	PendingIn               map[string]int // numbers of pending backups by project
}

// Progress has the number of rows of a kind, and the number of rows with exact figures.
type Progress struct {
	Exact, Total      int
	ExactBytes, Bytes int64
	Newest            int // number of listed rows if only the newest are listed, or 0
}

// sort sorts the visible rows in the scope, and counts all rows.
func (l *pane) sort() {
	t := Tally{}
	l.prune()
	var shown []*sessions.Row
	for _, h := range l.held {
		r := &h.row
		t.Total, t.Bytes = t.Total+1, t.Bytes+r.Bytes
		if r.Exact {
			t.Exact, t.ExactBytes = t.Exact+1, t.ExactBytes+r.Bytes
		}
		if screen.IsUnsaved(r) {
			t.Unsaved++
		}
		if r.Pending {
			t.countPending(r)
		}
		quiet := r.Quiet()
		if l.scope.showHidden || !quiet {
			t.Shown++
			if r.Deleted {
				t.Gone++
			}
		}
		if !l.scope.wide() && r.Project != l.scope.project {
			continue
		}
		switch {
		case l.scope.showHidden || !quiet:
			t.InScope++
			if r.Deleted {
				t.GoneHere++
			}
			if r.Pending {
				t.PendingHere++
			}
			shown = append(shown, r)
		case r.Archived:
			t.HiddenArchived++
		case r.Has(sessions.FlagSDK):
			t.HiddenRuns++
		default:
			t.HiddenStubs++
		}
	}
	if l.kind == sessions.KindSession {
		slices.SortFunc(shown, l.scope.compare)
	} else {
		slices.SortFunc(shown, compareRows)
	}
	l.tally, l.shown, l.among = t, shown, nil
}

func (t *Tally) countPending(r *sessions.Row) {
	if t.Pending++; t.PendingIn == nil {
		t.PendingIn = map[string]int{}
	}
	t.PendingIn[r.Project]++
}

// compareRows puts pending backups first, then rows that weren't reviewed, then all others.
func compareRows(a, b *sessions.Row) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Compare(b))
}

func rank(r *sessions.Row) int {
	switch {
	case r.Pending:
		return 0
	case r.Unseen:
		return 1
	}
	return 2
}
