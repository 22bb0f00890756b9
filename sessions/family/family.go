// Package family finds the relatives of a session: its ancestors, and all sessions that were started from them or
// from the session.
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
	Same      Relation = "same"      // the session has the same messages as its parent
	Clear     Relation = "clear"     // the session was started with /clear
	Plan      Relation = "plan"      // the session begins with a plan of its parent
	Summary   Relation = "summary"   // the session begins with a summary of its parent
	Continued Relation = "continued" // the transcript of the parent says that this session continues it
)

// Member is a session of a family, or a step of the session before it.
type Member struct {
	Row    *sessions.Row // nil for a session that is only known because another one names it
	ID     string
	Parent int // index of the parent; -1 for the root
	Link
	// Depth is the indentation in a tree. It is 0 from the root to the session of Of. Below, the latest continuation
	// of a session has the session's Depth. All other sessions are Branches, one deeper than their parent.
	Depth  int
	Branch bool
	Step   *Step // a step of the session Row; nil if the member is a session
}

// Link describes the relation of a session to its parent.
type Link struct {
	Relation Relation
	At       int       // for Fork: number of messages that both sessions share
	When     time.Time // for Clear: time of the command
}

// ByTime reports whether the parent isn't recorded. It is then the last used session in the same folder.
func (l *Link) ByTime() bool { return l.Relation == Clear }

// Of returns the family of a session in reading order, the root first. rows must be the whole catalogue. A session
// without relatives is a family of one. For a backup, Of returns the family of its session. For an unknown session,
// it returns nil.
func Of(rows iter.Seq[*sessions.Row], of *sessions.Row) []Member {
	g := newGraph(rows)
	at := g.find(of)
	if at < 0 {
		return nil
	}
	g.link()
	g.cutCycles()
	way := map[int]bool{at: true} // the sessions from the root to the given session
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

// order sorts the children of a session by the message after which they diverge, then by time. It separates next: the
// child in way, otherwise the latest continuation, or -1.
func (g *graph) order(children []int, way map[int]bool) (branches []int, next int) {
	slices.SortFunc(children, func(a, b int) int {
		x, y := &g.nodes[a], &g.nodes[b]
		return cmp.Or(cmp.Compare(x.link.At, y.link.At), y.row.Compare(x.row)) // newer rows first
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
