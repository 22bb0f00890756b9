// Package family finds the relatives of a session: the sessions from which it was started, and the sessions that were
// started from it.
package family

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Relation is the way in which a session was started from its parent.
type Relation string

// The relations.
const (
	Root      Relation = ""
	Fork      Relation = "fork"      // the session begins with copies of the first messages of its parent
	Same      Relation = "same"      // the session has the messages of its parent, and no others
	Clear     Relation = "clear"     // the session was started with /clear
	Plan      Relation = "plan"      // the session begins with a plan of its parent
	Summary   Relation = "summary"   // the session begins with a summary of its parent
	Continued Relation = "continued" // a record of the parent says that this session continues it
)

// Member is a session of a family.
type Member struct {
	Row    *sessions.Row // nil if another session names this one, but there is no row for it
	ID     string
	Parent int // index of the parent; -1 for the root
	Link
	// Depth is 0 for the root and all sessions on the way to the session of Of. Below it, the latest continuation has the
	// depth of its parent. All other sessions are Branches, and their Depth is one more than that of their parent.
	Depth  int
	Branch bool
	Step   *Step // set for a step of the session Row; nil for a session
}

// Link describes the relation of a session to its parent.
type Link struct {
	Relation Relation
	At       int       // for Fork: number of messages that both sessions have
	When     time.Time // for Clear: time of the command
}

// ByTime reports whether the parent isn't recorded but derived from times: it is then the session in the same folder
// that was used last before this one.
func (l *Link) ByTime() bool { return l.Relation == Clear }

// Of returns the family of a session in reading order, the root first. rows must have all rows of the catalogue. If a
// session has no relatives, its family has one member. For a backup, Of returns the family of its session. It returns
// nil if the session isn't in rows.
func Of(rows iter.Seq[*sessions.Row], of *sessions.Row) []Member {
	g := newGraph(rows)
	at := g.find(of)
	if at < 0 {
		return nil
	}
	g.link()
	g.cutCycles()
	way := map[int]bool{at: true} // from the root to the session
	for g.nodes[at].parent >= 0 {
		at = g.nodes[at].parent
		way[at] = true
	}
	children := map[int][]int{}
	for i := range g.nodes {
		if to := g.nodes[i].parent; to >= 0 {
			children[to] = append(children[to], i)
		}
	}
	var list []Member
	var add func(node, parent, depth int, branch bool)
	add = func(node, parent, depth int, branch bool) {
		n, me := &g.nodes[node], len(list)
		list = append(list, Member{Row: n.row, ID: n.id, Parent: parent, Link: n.link, Depth: depth, Branch: branch})
		forks, next := g.order(children[node], way)
		for _, c := range forks {
			add(c, me, depth+1, true)
		}
		if next >= 0 {
			add(next, me, depth, false)
		}
	}
	add(at, -1, 0, false)
	return list
}

// order sorts the children of a session: by the message at which they diverge, then by time. It returns separately, as
// next, the child on the way or else the latest continuation; -1 if there is none.
func (g *graph) order(children []int, way map[int]bool) (branches []int, next int) {
	slices.SortFunc(children, func(a, b int) int {
		x, y := &g.nodes[a], &g.nodes[b]
		return cmp.Or(cmp.Compare(x.link.At, y.link.At), y.row.Compare(x.row)) // Compare puts newer rows first
	})
	next = -1
	for _, c := range children {
		r := g.nodes[c].link.Relation
		if !way[c] && (r == Fork || r == Same || next >= 0 && way[next]) {
			branches = append(branches, c)
			continue
		}
		if next >= 0 {
			branches = append(branches, next)
		}
		next = c
	}
	return branches, next
}
