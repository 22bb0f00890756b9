package beads

import (
	"cmp"
	"slices"
	"time"
)

// Groups are the open beads, each in one group.
type Groups struct {
	InProgress []*Bead // including those that wait for another bead; in the order of InProgress
	Ready      []*Bead // the others that can be started; in the order of Ready
	Blocked    []*Bead // the others that are blocked; in the order of Blocked
	Later      []*Bead // the rest: deferred, hidden, or with another status; by priority, then oldest first
}

// AtWork returns the beads in progress. The beads that are most likely the current work come first: unblocked beads,
// then blocked ones, each group sorted by the last change, newest first.
func (g *Graph) AtWork() []*Bead {
	list := g.InProgress()
	waiting := g.waiting(g.finder())
	isBlocked := func(b *Bead) bool { return waiting[b] || len(b.Blockers) > 0 }
	free := slices.DeleteFunc(slices.Clone(list), isBlocked)
	return append(free, slices.DeleteFunc(list, func(b *Bead) bool { return !isBlocked(b) })...)
}

// Groups returns the open beads, each in the first group that it belongs to, so the counts add up. The lists that the
// methods Ready, InProgress and Blocked return can overlap, as the lists of br do.
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
