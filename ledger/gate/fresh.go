package gate

import "slices"

// ledgerDecisions is how many decisions of NOTES.md are looked through for one that was said, the newest.
const ledgerDecisions = 2000

// Fresh are the things that were said, oldest first, that the ledger does not have yet: neither in what is about them nor
// in any other decision of NOTES.md or of a bead in progress. What contradicts the ledger is in forks instead, and what was said
// again, or of which something newer was said, is left out. known is how many the ledger has.
func Fresh(said []Said, l Ledger) (fresh []Said, forks []Fork, known int) {
	forks, all := compare(said, l)
	var have []wording
	if l.Notes != nil {
		list := l.Notes.Decisions()
		for i := range list[:min(len(list), ledgerDecisions)] {
			have = append(have, wordingOf(list[i].Title+" "+list[i].Decision))
		}
	}
	if l.Beads != nil {
		for _, b := range l.Beads.InProgress() {
			for i := range b.Decisions[:min(len(b.Decisions), beadDecisions)] {
				have = append(have, wordingOf(b.Decisions[i].Text))
			}
			if len(have) > 2*ledgerDecisions {
				break
			}
		}
	}
	type later struct {
		w   wording
		key string
	}
	var after []later
	for i := range slices.Backward(said) {
		s := &said[i]
		w := wordingOf(s.Text)
		l := later{w, titleKey(s.Title)}
		again := slices.ContainsFunc(after, func(o later) bool { return w.within(&o.w) || l.key != "" && l.key == o.key })
		after = append(after, l)
		switch {
		case len(w.words) == 0, again, all[i] == differs, all[i] == passed:
		case all[i] == agrees, slices.ContainsFunc(have, func(o wording) bool { return w.within(&o) }):
			known++
		default:
			fresh = append(fresh, *s)
		}
	}
	slices.Reverse(fresh)
	return fresh, forks, known
}

// within reports whether all that it says is in another text.
func (w *wording) within(o *wording) bool {
	return len(w.words) <= len(o.words) && w.says(o)
}
