package family

import (
	"iter"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// node is a session with the link to its parent.
type node struct {
	row     *sessions.Row // nil for a session that is only known because another one names it
	ses     *sessions.Session
	id      string
	prompts []transcript.OriginPrompt
	lent    int // number of prompts at the start that lend inserted
	parent  int // -1 if none
	link    Link
}

// graph contains sessions and their links.
type graph struct {
	nodes []node
	byID  map[string][]int
}

// newGraph returns a graph of all sessions, without links. The newest backup represents a session without a
// transcript.
func newGraph(rows iter.Seq[*sessions.Row]) *graph {
	g := &graph{byID: map[string][]int{}}
	var list []*sessions.Row
	for r := range rows {
		if r.Kind == sessions.KindSession {
			list = append(list, r)
		}
	}
	for _, r := range sessions.LastBackups(rows) {
		if r.Lost() != nil {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, (*sessions.Row).Compare) // the result must not depend on the order of rows
	for _, r := range list {
		ses := &r.Described().Session
		id := ses.ID
		if r.Kind == sessions.KindBackup {
			id = r.Of
		}
		g.add(node{row: r, ses: ses, id: id, prompts: ses.Origin.Prompts, parent: -1})
	}
	return g
}

func (g *graph) add(n node) int {
	g.nodes = append(g.nodes, n)
	g.byID[n.id] = append(g.byID[n.id], len(g.nodes)-1)
	return len(g.nodes) - 1
}

// find returns the node of a row, or -1 if there is none.
func (g *graph) find(of *sessions.Row) int {
	if i := slices.IndexFunc(g.nodes, func(n node) bool { return n.row.Path == of.Path }); i >= 0 {
		return i
	}
	if nodes := g.byID[of.Of]; of.Of != "" && len(nodes) > 0 {
		return nodes[0]
	}
	return -1
}

// named returns the node with an ID, or -1. Of several, it prefers one in the folder of node by.
func (g *graph) named(by int, id string) int {
	nodes := g.byID[id]
	for _, i := range nodes {
		if ses := g.nodes[i].ses; ses != nil && ses.Workdir == g.nodes[by].ses.Workdir {
			return i
		}
	}
	if len(nodes) == 0 {
		return -1
	}
	return nodes[0]
}

// set links a session to its parent. It does nothing if the session already has a parent.
func (g *graph) set(i, parent int, l Link) {
	if n := &g.nodes[i]; n.parent < 0 && parent != i {
		n.parent, n.link = parent, l
	}
}

// link finds the parents of all sessions: by IDs in records, then by equal prompts, then by the times of /clear
// commands.
func (g *graph) link() {
	for i := range len(g.nodes) { // the loop may add nodes, which need no parent
		n := &g.nodes[i]
		o := &n.ses.Origin
		if o.Session == "" || o.Session == n.id {
			continue
		}
		parent := g.named(i, o.Session)
		if parent < 0 {
			parent = g.add(node{id: o.Session, parent: -1})
		}
		g.set(i, parent, Link{Relation: Relation(o.Kind), At: o.Copied})
	}
	for i := range g.nodes {
		if ses := g.nodes[i].ses; ses != nil && ses.Continued != "" {
			if to := g.named(i, ses.Continued); to >= 0 && g.nodes[to].row != nil {
				g.set(to, i, Link{Relation: Continued})
			}
		}
	}
	g.lend()
	g.linkCopies()
	g.linkCleared()
}

// lend adds missing first prompts to forks of compacted sessions, which begin in the middle of their original.
func (g *graph) lend() {
	type place struct{ node, prompt int }
	later := map[uint64]place{}
	for i := range g.nodes {
		for k, p := range g.nodes[i].prompts {
			if k > 0 {
				later[p.ID] = place{i, k}
			}
		}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if len(n.prompts) == 0 {
			continue
		}
		if from, ok := later[n.prompts[0].ID]; ok && from.node != i && g.nodes[from.node].lent == 0 {
			n.prompts, n.lent = slices.Concat(g.nodes[from.node].prompts[:from.prompt], n.prompts), from.prompt
		}
	}
}

// linkCopies links sessions that begin with the same prompt.
func (g *graph) linkCopies() {
	alike := map[uint64][]int{}
	for i := range g.nodes {
		if p := g.nodes[i].prompts; len(p) > 0 {
			alike[p[0].ID] = append(alike[p[0].ID], i)
		}
	}
	for _, list := range alike {
		if len(list) > 1 {
			g.linkGroup(list, 1)
		}
	}
}

// linkGroup finds the original of sessions whose first n prompts are equal, links its forks to it, and returns it. A
// fork copies the whole session and continues. So the original has no further prompt, or its next prompt is later
// than those of the forks.
func (g *graph) linkGroup(list []int, n int) int {
	for !slices.ContainsFunc(list, func(i int) bool { return g.promptAt(i, n).ID != g.promptAt(list[0], n).ID }) && g.promptAt(list[0], n).ID != 0 {
		n++
	}
	groups := map[uint64][]int{}
	var heads []int // the original of each group with the same next prompt, and sessions without a next prompt
	for _, i := range list {
		id := g.promptAt(i, n).ID
		if groups[id] = append(groups[id], i); id == 0 {
			heads = append(heads, i)
		}
	}
	for _, i := range list {
		id := g.promptAt(i, n).ID
		switch alike := groups[id]; {
		case id == 0 || alike[0] != i: // without a next prompt, or already handled with its group
		case len(alike) == 1:
			heads = append(heads, i)
		default:
			heads = append(heads, g.linkGroup(alike, n+1))
		}
	}
	original := slices.MaxFunc(heads, func(a, b int) int { return g.compare(a, b, n) })
	for _, i := range heads {
		l := Link{Relation: Fork, At: g.nodes[original].ses.Messages}
		switch next := g.promptAt(original, n); {
		case next.ID != 0:
			l.At = next.Number - 1
		case g.promptAt(i, n).ID == 0:
			l = Link{Relation: Same}
		}
		g.set(i, original, l)
	}
	return original
}

// promptAt returns the n-th prompt of a session, from 0, or the zero value.
func (g *graph) promptAt(i, n int) transcript.OriginPrompt {
	if p := g.nodes[i].prompts; n < len(p) {
		return p[n]
	}
	return transcript.OriginPrompt{}
}

// compare returns 1 if session a is the original of b, and -1 if b is that of a. Their first n prompts are equal.
func (g *graph) compare(a, b, n int) int {
	isCopy := func(i int) bool { // reports whether the last common prompt is known to be copied
		node := &g.nodes[i]
		return n <= node.lent || node.prompts[n-1].Number <= node.ses.Origin.Copied
	}
	x, y := g.promptAt(a, n), g.promptAt(b, n)
	switch {
	case isCopy(a) != isCopy(b):
		return sign(isCopy(b))
	case (x.ID == 0) != (y.ID == 0):
		return sign(x.ID == 0)
	}
	return x.Time.Compare(y.Time)
}

func sign(first bool) int {
	if first {
		return 1
	}
	return -1
}

// maxPause is the maximum time between the last use of a session and a /clear in it.
const maxPause = 24 * time.Hour

// linkCleared links each session that begins with /clear to the session that was used last in the same folder before
// it. A session may be resumed after the /clear, so all its prompts count as uses, and its last message.
func (g *graph) linkCleared() {
	type use struct {
		at   time.Time
		node int
	}
	folders := map[string][]use{}
	for i := range g.nodes {
		ses := g.nodes[i].ses
		if ses == nil || ses.Messages == 0 || ses.Has(sessions.FlagSDK) {
			continue
		}
		uses := append(folders[ses.Workdir], use{ses.Last, i})
		for _, p := range ses.Origin.Prompts {
			uses = append(uses, use{p.Time, i})
		}
		folders[ses.Workdir] = uses
	}
	byTime := func(a, b use) int { return a.at.Compare(b.at) }
	for _, uses := range folders {
		slices.SortStableFunc(uses, byTime)
	}
	for i := range g.nodes {
		ses := g.nodes[i].ses
		if ses == nil || ses.Origin.Kind != transcript.OriginClear || ses.Origin.Cleared.IsZero() {
			continue
		}
		at, uses := ses.Origin.Cleared, folders[ses.Workdir]
		k, _ := slices.BinarySearchFunc(uses, use{at: at.Add(1)}, byTime)
		for k--; k >= 0 && uses[k].node == i; k-- { // skip the session itself
		}
		if k >= 0 && at.Sub(uses[k].at) <= maxPause {
			g.set(i, uses[k].node, Link{Relation: Clear, When: at})
		}
	}
}

// cutCycles removes one link of each cycle. Only invalid records cause cycles.
func (g *graph) cutCycles() {
	walk := make([]int, len(g.nodes)) // 1 + index of the node whose walk first reached this one, or 0
	for i := range g.nodes {
		at := i
		for at >= 0 && walk[at] == 0 {
			walk[at] = i + 1
			at = g.nodes[at].parent
		}
		if at >= 0 && walk[at] == i+1 {
			g.nodes[at].parent, g.nodes[at].link = -1, Link{}
		}
	}
}
