package beads

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Find returns the open or closed bead with an ID.
func (g *Graph) Find(id string) (*Bead, bool) {
	if g.at == nil { // the graph is the zero value
		for i := range g.Beads {
			if g.Beads[i].ID == id {
				return &g.Beads[i], true
			}
		}
		return nil, false
	}
	at, ok := g.at[id]
	switch {
	case !ok:
		return nil, false
	case at >= 0:
		return &g.Beads[at], true
	}
	b := g.open(&g.shut[^at])
	return b, b != nil
}

// open decodes a closed bead.
func (g *Graph) open(s *shut) *Bead {
	if s.bead != nil {
		return s.bead
	}
	b, _ := decode(s.raw, g.file, s.line)
	return b
}

// IDs returns the sorted IDs of all beads.
func (g *Graph) IDs() []string {
	ids := make([]string, 0, len(g.Beads)+len(g.shut))
	for i := range g.Beads {
		ids = append(ids, g.Beads[i].ID)
	}
	for i := range g.shut {
		ids = append(ids, g.shut[i].id)
	}
	slices.Sort(ids)
	return ids
}

// Closed decodes and returns the closed beads without tombstones. The last closed one is first.
func (g *Graph) Closed() []*Bead {
	var list []*Bead
	for i := range g.shut {
		if b := g.open(&g.shut[i]); b != nil && b.Status != tombstone {
			list = append(list, b)
		}
	}
	for i := range g.Beads {
		if b := &g.Beads[i]; b.Status == "closed" {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *Bead) int { return b.Closed.Compare(a.Closed) })
	return list
}

// CountClosed returns the number of beads that Closed returns.
func (g *Graph) CountClosed() int {
	n := g.closed
	for i := range g.Beads {
		if g.Beads[i].Status == "closed" {
			n++
		}
	}
	return n
}

// Ready returns the beads that can be started. Like br ready, it omits beads that are deferred or hidden, or wait for
// another bead. It also omits beads with an entry in blockers. The order is the one of br ("hybrid"): priorities 0
// and 1, then all others. The oldest bead of both groups is first.
func (g *Graph) Ready(now time.Time) []*Bead {
	waiting := g.waiting(g.finder())
	var list []*Bead
	for i := range g.Beads {
		b := &g.Beads[i]
		if (b.Status == "open" || b.Status == "in_progress") && !b.Hidden && !b.Defer.After(now) &&
			len(b.Blockers) == 0 && !waiting[b] {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *Bead) int {
		return cmp.Or(cmp.Compare(min(max(a.Priority, 1), 2), min(max(b.Priority, 1), 2)), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// InProgress returns the beads in progress. The last changed bead is first.
func (g *Graph) InProgress() []*Bead {
	var list []*Bead
	for i := range g.Beads {
		if b := &g.Beads[i]; b.Status == "in_progress" {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *Bead) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Blocked returns the beads that can't be started, by priority, and then oldest first. Deferred beads are omitted.
func (g *Graph) Blocked(now time.Time) []*Bead {
	waiting := g.waiting(g.finder())
	var list []*Bead
	for i := range g.Beads {
		b := &g.Beads[i]
		if isShut(b.Status) || b.Hidden || b.Status == "deferred" || b.Defer.After(now) {
			continue
		}
		if b.Status == "blocked" || len(b.Blockers) > 0 || waiting[b] {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b *Bead) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// WaitsFor returns the IDs of the beads that block a bead or its parents. The types of dependency are blocks,
// conditional-blocks and waits-for. A missing bead blocks, and so does a bead of another project (external:). A
// template doesn't block. A parent doesn't block its children. WaitsFor follows only a limited number of parents.
func (g *Graph) WaitsFor(b *Bead) []string { return waitsFor(b, g.finder()) }

// found is the result of looking up an ID. The zero value is an unknown ID.
type found struct {
	bead *Bead
	shut bool
}

// finder returns a function that looks up an ID without decoding closed beads.
func (g *Graph) finder() func(id string) found {
	if g.at != nil {
		return func(id string) found {
			at, ok := g.at[id]
			switch {
			case !ok:
				return found{}
			case at < 0:
				return found{shut: true}
			}
			return found{bead: &g.Beads[at]}
		}
	}
	at := make(map[string]*Bead, len(g.Beads))
	for i := range g.Beads {
		at[g.Beads[i].ID] = &g.Beads[i]
	}
	return func(id string) found {
		b := at[id]
		if b == nil {
			return found{}
		}
		return found{bead: b, shut: isShut(b.Status)}
	}
}

// waitsFor implements WaitsFor. A limit keeps the time for all beads of a file linear.
func waitsFor(b *Bead, find func(string) found) []string {
	const most = 256
	var ids []string
	taken, seen := map[string]bool{}, map[string]bool{b.ID: true} // parents may form a cycle
	left := len(b.Deps) + most
	for at := []*Bead{b}; len(at) > 0; at = at[1:] {
		for _, d := range at[0].Deps {
			if left--; left < 0 {
				return ids
			}
			switch f := find(d.On); {
			case f.shut || taken[d.On]:
			case d.Type == parentChild:
				if f.bead != nil && !seen[d.On] {
					seen[d.On] = true
					at = append(at, f.bead)
				}
			case !blocks(d.Type) || d.On == b.ID || f.bead != nil && f.bead.Template:
			default:
				taken[d.On] = true
				ids = append(ids, d.On)
			}
		}
	}
	return ids
}

// waiting returns the beads that wait for another bead. Children inherit the blockers of their parents. Two blockers
// of a bead are kept, because one may be the bead itself.
func (g *Graph) waiting(find func(string) found) map[*Bead]bool {
	on, children := map[*Bead][]string{}, map[*Bead][]*Bead{}
	var changed []*Bead
	add := func(b *Bead, id string) {
		if ids := on[b]; len(ids) < 2 && !slices.Contains(ids, id) {
			on[b] = append(ids, id)
			changed = append(changed, b)
		}
	}
	for i := range g.Beads {
		b := &g.Beads[i]
		for _, d := range b.Deps {
			switch f := find(d.On); {
			case f.shut:
			case d.Type == parentChild:
				if f.bead != nil {
					children[f.bead] = append(children[f.bead], b)
				}
			case blocks(d.Type) && (f.bead == nil || !f.bead.Template):
				add(b, d.On)
			}
		}
	}
	for len(changed) > 0 {
		b := changed[len(changed)-1]
		changed = changed[:len(changed)-1]
		for _, child := range children[b] {
			for _, id := range on[b] {
				add(child, id)
			}
		}
	}
	waiting := make(map[*Bead]bool, len(on))
	for b, ids := range on {
		waiting[b] = slices.ContainsFunc(ids, func(id string) bool { return id != b.ID })
	}
	return waiting
}

const parentChild = "parent-child"

func blocks(kind string) bool {
	switch strings.ToLower(kind) {
	case "blocks", "conditional-blocks", "waits-for":
		return true
	}
	return false
}
