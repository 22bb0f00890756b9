package beads

import (
	"cmp"
	"slices"
	"time"
)

// Groups has the open beads in four groups.
type Groups struct {
	InProgress []*Bead // in the order of Graph.InProgress; also blocked ones
	Ready      []*Bead // other beads, in the order of Graph.Ready
	Blocked    []*Bead // other beads, in the order of Graph.Blocked
	// Later has all other beads, such as deferred ones. They are sorted by priority, and then oldest first.
	Later []*Bead
}

// AtWork returns the beads in progress. Blocked beads come last. Otherwise, the last changed bead is first.
func (g *Graph) AtWork() []*Bead {
	list := g.InProgress()
	waiting := g.waiting(g.finder())
	isBlocked := func(b *Bead) bool { return waiting[b] || len(b.Blockers) > 0 }
	free := slices.DeleteFunc(slices.Clone(list), isBlocked)
	return append(free, slices.DeleteFunc(list, func(b *Bead) bool { return !isBlocked(b) })...)
}

// Groups returns the open beads in groups. A bead is in the first group to which it belongs.
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
