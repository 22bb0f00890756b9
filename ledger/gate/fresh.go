package gate

import (
	"context"
	"slices"
)

// ledgerDecisions is how many decisions of NOTES.md are searched, at most. The newest decisions come first.
const ledgerDecisions = 2000

// Fresh returns those decisions of a session that neither NOTES.md nor a bead in progress has. The oldest decision
// is first, and statements must have the same order. forks has the decisions that contradict the ledger. Decisions
// that are repeated or superseded are left out. known is how many decisions the ledger already has. If ctx ends,
// some decisions may be missing.
func Fresh(ctx context.Context, statements []Statement, l Ledger) (fresh []Statement, forks []Fork, known int) {
	forks, all := compare(ctx, statements, l)
	have, after := ledgerWordings(l), &wordings{} // after has the newer statements
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

// ledgerWordings returns the wordings of the decisions that NOTES.md and the beads in progress have.
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
