package gate

import (
	"context"
	"slices"
)

// ledgerDecisions is how many decisions of NOTES.md are looked through for one that was said, the newest.
const ledgerDecisions = 2000

// Fresh are the things that were said, oldest first, that the ledger does not have yet: neither in what is about them nor
// in any other decision of NOTES.md or of a bead in progress. What contradicts the ledger is in forks instead, and what was said
// again, or of which something newer was said, is left out. known is how many the ledger has. When ctx ends they are some.
func Fresh(ctx context.Context, said []Said, l Ledger) (fresh []Said, forks []Fork, known int) {
	forks, all := compare(ctx, said, l)
	have, after := ledgerWordings(l), &wordings{} // those of what was said, the newest first
	titles := map[string]bool{}
	for i := range slices.Backward(said) {
		if ctx.Err() != nil {
			break
		}
		s := &said[i]
		w, title := wordingOf(s.Text), titleKey(s.Title)
		again := after.within(&w) || title != "" && titles[title]
		after.add(w)
		titles[title] = true
		switch {
		case len(w.words) == 0, again, all[i] == differs, all[i] == passed:
		case all[i] == agrees, have.within(&w):
			known++
		default:
			fresh = append(fresh, *s)
		}
	}
	slices.Reverse(fresh)
	return fresh, forks, known
}

// ledgerWordings are those of the decisions of NOTES.md and of the beads in progress.
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
