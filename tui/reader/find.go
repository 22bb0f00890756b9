package reader

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

func (r *pane) search() tea.Cmd { return r.searchFor(r.find.field.Text()) }

// searchFor searches for several words. A part with one of the words matches.
func (r *pane) searchFor(words ...string) tea.Cmd {
	f := &r.find
	if r.doc == nil || len(r.out.Refs) == 0 {
		f.typing = false
		return nil
	}
	f.typing, f.pattern, f.words, f.matches, f.at, f.agents, f.inside = false, strings.Join(words, " "), words, nil, -1, nil, 0
	f.needle = render.NewNeedle(words...)
	if strings.TrimSpace(f.pattern) == "" {
		f.clear()
		return nil
	}
	return r.searchAgain()
}

// searchAgain restarts the search for the same words. A selected match doesn't move.
func (r *pane) searchAgain() tea.Cmd {
	f := &r.find
	f.start(r.ctx, r.cur.bar)
	f.stays = f.at >= 0
	f.matches, f.at = nil, -1
	ahead := stretch{from: r.cur.bar.message, to: len(r.out.Refs)}
	behind := stretch{to: r.cur.bar.message, back: true}
	return searchDoc(f.ctx, r.searching(), ahead, behind)
}

// searchOn searches the messages from index from on, because they are new or may have grown.
func (r *pane) searchOn(from int) tea.Cmd {
	f := &r.find
	f.start(r.ctx, r.cur.bar)
	f.stays = true
	at := found{-1, 0}
	if f.at >= 0 {
		at = f.matches[f.at]
	}
	f.matches = slices.DeleteFunc(slices.Clone(f.matches), func(p found) bool { return p.message >= from })
	f.at = slices.Index(f.matches, at)
	return searchDoc(f.ctx, r.searching(), stretch{from: from, to: len(r.out.Refs)}, stretch{})
}

func (r *pane) searching() searching {
	return searching{gen: r.find.gen, doc: r.doc, version: r.version, needle: r.find.needle, words: r.find.words}
}

// searched adds a batch of matches. It selects the first match from the bar on, or else the last match before the bar.
func (r *pane) searched(msg searchedMsg, rows int) {
	f := &r.find
	selected := found{-1, 0}
	if f.at >= 0 {
		selected = f.matches[f.at]
	}
	f.matches = append(f.matches, msg.matches...)
	slices.SortFunc(f.matches, compareFound)
	f.running = !msg.done
	if f.at >= 0 {
		f.at = slices.Index(f.matches, selected)
		return
	}
	if r.cur.bar.message != f.from.message { // a key has moved the bar during the search
		f.from, f.stays = r.cur.bar, true
	}
	switch i := f.nearest(r.view.part(f.from).Block, msg.done || msg.back); {
	case i < 0:
	case f.stays:
		f.at = i
	default:
		r.toMatch(i, 0, rows)
	}
}

// toMatch goes to the matching line nth of match i, and opens its part.
func (r *pane) toMatch(i, nth, rows int) {
	p := r.find.matches[i]
	r.find.at, r.find.nth, r.find.here = i, nth, 0
	r.cur.showPart(p.message, p.block)
	if e := r.view.cache.messages[p.message]; e != nil {
		r.cur.openFor(&r.find, p, e)
	}
	r.cur.aim(goal{message: p.message, block: p.block, search: &r.find}, rows)
}

// openFor opens a part to show a match. If the drawn lines already show the match, the part stays as it is.
func (c *cursor) openFor(f *finder, p found, e *cached) {
	part := e.parts[e.partOf(p.block)]
	if part.Fold == talk.Shut && !f.shows(e, part) || part.Fold == talk.Open && part.More && !f.shows(e, part) {
		c.setFold(p.message, part.Block, talk.Whole)
	}
}

// stepMatch goes to the next (step 1) or previous (step -1) matching line, also into another part. It wraps around
// at the ends.
func (r *pane) stepMatch(step, rows int) {
	f := &r.find
	n := len(f.matches)
	if n == 0 {
		return
	}
	f.around = false
	if f.at >= 0 {
		if nth := f.nth + step; nth >= 0 && nth < f.linesHere(&r.view.cache) {
			r.toMatch(f.at, nth, rows)
			return
		}
	}
	next := f.at + step
	f.around = next >= n || next < 0
	nth := 0
	if step < 0 {
		nth = lastLine
	}
	r.toMatch((next%n+n)%n, nth, rows)
}
