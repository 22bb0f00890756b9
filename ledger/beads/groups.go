package beads

import (
	"cmp"
	"slices"
	"time"
)

// Groups are the beads that are not closed, each of them once.
type Groups struct {
	InProgress []*Bead // somebody is at them, even if they wait for another; as InProgress has them
	Ready      []*Bead // of the others: can be begun; as Ready has them
	Blocked    []*Bead // of the others: wait for something that is open, or say that they are blocked; as Blocked has them
	Later      []*Bead // the rest: deferred, hidden, or with another status; by priority, then the oldest first
}

// AtWork are the beads that somebody is at, the likeliest first: those that are not blocked before those that are, and of
// both the one that was changed last first.
func (g *Graph) AtWork() []*Bead {
	list := g.InProgress()
	waiting := g.waiting(g.finder())
	isBlocked := func(b *Bead) bool { return waiting[b] || len(b.Blockers) > 0 }
	free := slices.DeleteFunc(slices.Clone(list), isBlocked)
	return append(free, slices.DeleteFunc(list, func(b *Bead) bool { return !isBlocked(b) })...)
}

// Groups parts the beads that are not closed: each is in the first group that has it, so that the groups can be counted
// side by side. Ready, InProgress and Blocked may have a bead two times, as br's own lists do.
func (g *Graph) Groups(now time.Time) Groups {
	seen := make(map[*Bead]bool, len(g.Beads))
	first := func(list []*Bead) []*Bead {
		list = slices.DeleteFunc(list, func(b *Bead) bool { return seen[b] })
		for _, b := range list {
			seen[b] = true
		}
		return list
	}
	parted := Groups{InProgress: first(g.InProgress()), Ready: first(g.Ready(now)), Blocked: first(g.Blocked(now))}
	for i := range g.Beads {
		if b := &g.Beads[i]; !isShut(b.Status) && !seen[b] {
			parted.Later = append(parted.Later, b)
		}
	}
	slices.SortStableFunc(parted.Later, func(a, b *Bead) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return parted
}
