package beads

import (
	"cmp"
	"slices"
	"time"
)

// Groups has the open beads. Each of them is in one group.
type Groups struct {
	InProgress []*Bead // beads in progress, also those that wait for another bead; in the order of InProgress
	Ready      []*Bead // other beads that can be started; in the order of Ready
	Blocked    []*Bead // other beads that are blocked; in the order of Blocked
	// All other beads, which are deferred, hidden, or have another status; by priority, then oldest first.
	Later []*Bead
}

// AtWork returns the beads in progress, the most likely current one first: first those that aren't blocked, then the
// blocked ones; within both groups, last changed first.
func (g *Graph) AtWork() []*Bead {
	list := g.InProgress()
	waiting := g.waiting(g.finder())
	isBlocked := func(b *Bead) bool { return waiting[b] || len(b.Blockers) > 0 }
	free := slices.DeleteFunc(slices.Clone(list), isBlocked)
	return append(free, slices.DeleteFunc(list, func(b *Bead) bool { return !isBlocked(b) })...)
}

// Groups returns the open beads in groups. Each bead is only in the first group that it belongs to, so that the
// counts add up. The lists of Ready, InProgress and Blocked may overlap, as in br.
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
