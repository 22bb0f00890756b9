package gate

import (
	"context"
	"slices"
)

// ledgerDecisions is the maximum number of decisions of NOTES.md to search, newest first.
const ledgerDecisions = 2000

// Fresh returns the decisions of a session that no decision of NOTES.md or of a bead in progress contains, oldest
// first. The statements must be in the same order. Decisions that contradict the ledger are in forks. Repeated and
// superseded decisions are left out. known is the number of decisions that the ledger contains. If ctx ends, some may
// be missing.
func Fresh(ctx context.Context, statements []Statement, l Ledger) (fresh []Statement, forks []Fork, known int) {
	forks, all := compare(ctx, statements, l)
	have, after := ledgerWordings(l), &wordings{} // after holds the newer statements
	titles := map[string]bool{}
	for i := range slices.Backward(statements) {
		if ctx.Err() != nil {
			break
		}
		s := &statements[i]
		w, title := wordingOf(s.Text), titleKey(s.Title)
		again := after.within(&w) || title != "" && titles[title]
		after.add(w)
		titles[title] = true
		switch {
		case len(w.words) == 0, again, all[i] == differs:
		case all[i] == agrees, have.within(&w):
			known++
		default:
			fresh = append(fresh, *s)
		}
	}
	slices.Reverse(fresh)
	return fresh, forks, known
}

// ledgerWordings returns the wordings of the decisions of NOTES.md and of beads in progress.
func ledgerWordings(l Ledger) *wordings {
	have := &wordings{}
	if l.Notes != nil {
		list := l.Notes.Decisions()
		for i := range list[:min(len(list), ledgerDecisions)] {
			have.add(wordingOf(list[i].Title + " " + list[i].Decision))
		}
	}
	if l.Beads == nil {
		return have
	}
	for _, b := range l.Beads.InProgress() {
		for i := range b.Decisions[:min(len(b.Decisions), beadDecisions)] {
			have.add(wordingOf(b.Decisions[i].Text))
		}
		if len(have.all) > 2*ledgerDecisions {
			break
		}
	}
	return have
}
