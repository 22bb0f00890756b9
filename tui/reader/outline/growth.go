package outline

import (
	"slices"

	"github.com/continuo-tui/continuo/transcript"
)

// Growth maps the messages of an outline to the messages of a newer outline.
type Growth struct {
	Noticed bool // a new message is a notice

	old, refs []transcript.MessageRef
	now       map[int32]int // new indexes, by the key of a message
}

// NewGrowth compares the messages of an outline before and after the file has grown.
func NewGrowth(old, refs []transcript.MessageRef) Growth {
	g := Growth{old: old, refs: refs, now: make(map[int32]int, len(refs))}
	known := make(map[int32]bool, len(old))
	for i := range old {
		known[key(old, i)] = true
	}
	for i := range refs {
		k := key(refs, i)
		g.now[k] = i
		g.Noticed = g.Noticed || refs[i].Kind == transcript.Notice && !known[k]
	}
	return g
}

// Moved returns the new index of a message, or -1.
func (g *Growth) Moved(i int) int {
	if i >= 0 && i < len(g.old) {
		if to, ok := g.now[key(g.old, i)]; ok {
			return to
		}
	}
	return -1
}

// Near returns the new index of a message. If the message is gone, it returns the old index or the last one.
func (g *Growth) Near(i int) int {
	if to := g.Moved(i); to >= 0 {
		return to
	}
	return max(min(i, len(g.refs)-1), 0)
}

// AtEnd reports whether all new messages are at the end.
func (g *Growth) AtEnd() bool {
	for i := range g.old {
		if g.Moved(i) != i {
			return false
		}
	}
	return true
}

// Same reports whether a message got no new records, and its records mean the same as before.
func (g *Growth) Same(i int) bool {
	to := g.Moved(i)
	if to < 0 {
		return false
	}
	a, b := &g.old[i], &g.refs[to]
	return slices.Equal(a.Records, b.Records) && a.Gap == b.Gap && a.Cleared == b.Cleared && a.Unread == b.Unread && a.Kind == b.Kind
}

// SameBefore reports whether the message before a message is still the same one.
func (g *Growth) SameBefore(i int) bool {
	to := g.Moved(i)
	return i > 0 && to > 0 && key(g.old, i-1) == key(g.refs, to-1) || i == 0 && to == 0
}
