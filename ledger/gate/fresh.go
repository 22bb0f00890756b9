package gate

import (
	"context"
	"slices"
)

// ledgerDecisions is the number of the newest decisions in NOTES.md that are searched.
const ledgerDecisions = 2000

// Fresh returns the decisions of a session that NOTES.md and the beads in progress lack. statements and fresh are
// oldest first. Repeated and superseded decisions are omitted. forks has the decisions that contradict the ledger.
// known counts the decisions in the ledger. If ctx ends, the result may be incomplete.
func Fresh(ctx context.Context, statements []Statement, l Ledger) (fresh []Statement, forks []Fork, known int) {
	forks, all := compare(ctx, statements, l)
	have, after := ledgerWordings(l), &wordings{} // after has the later statements
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

// ledgerWordings returns the wordings of the decisions in NOTES.md and in the beads in progress.
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
