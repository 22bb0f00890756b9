package list

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
)

// ofChain completes the facts about a document: where in its chain it stands.
func (l *pane) ofChain(f *preview.Facts, path string) {
	k, ok := l.docs.links[path]
	if ok && k.Linked() {
		switch n := len(k.Rows); {
		case n == 1: // the note says what it branches off
		case k.at == 0:
			f.Chained = "newest of " + words.Count(n)
		case k.isLast() && k.Fork == nil:
			f.Chained = "first of " + words.Count(n)
		default:
			f.Chained = words.Count(n-k.at) + " of " + words.Count(n)
		}
	}
	if ok && k.isLast() {
		switch k.End {
		case sessions.ChainFork:
			f.Linked, f.Link = render.Span{Ink: render.Warn, Text: "◇"}, k.Note
		case sessions.ChainMissing, sessions.ChainCycle:
			f.Linked, f.Link = render.Span{Ink: render.BadBold, Text: "✗"}, k.Note
		case sessions.ChainFirst, sessions.ChainMalformed:
		}
	}
}
