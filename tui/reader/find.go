package reader

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// finder is the search in a conversation. It searches all text, including folded parts. The results arrive in
// batches. The first batches cover the messages from the bar to the end, and the others go from the bar back to
// the start.
type finder struct {
	gen     int
	typing  bool
	field   field.Field // the text field
	pattern string      // last search text
	words   []string    // the texts to search for: the pattern, or the words of the search from which the reader was opened
	needle  render.Needle
	from    bar             // where the bar was at the start of the search
	ctx     context.Context // context of the running search
	cancel  context.CancelFunc
	matches []found // in reading order
	at      int     // index of the selected match in matches; -1 if none is selected
	nth     int     // index of the selected matching line in the part; lastLine means the last one
	here    int     // number of matching lines in the selected part at the last step
	around  bool    // the last step wrapped around
	running bool
	stays   bool         // matches don't move the view when they arrive
	agents  []agentFound // sub-agents whose transcripts have matches
	inside  int          // number of the sub-agent that the last step opened, counted from 1; 0 for none
}

// found is a part that matches. Comments call it a match, although it may have several matching lines.
type found struct{ message, block int }

// searchAtOnce is the maximum number of messages that one command searches. A command with this many messages
// takes some milliseconds.
const searchAtOnce = 128

// stretch is a range of messages to search, and the search direction.
type stretch struct {
	from, to int
	back     bool
}

// next returns the range to search next, and the rest of the stretch.
func (s stretch) next() (now, rest stretch) {
	if s.to-s.from <= searchAtOnce {
		return s, stretch{}
	}
	if s.back {
		return stretch{s.to - searchAtOnce, s.to, true}, stretch{s.from, s.to - searchAtOnce, true}
	}
	return stretch{s.from, s.from + searchAtOnce, false}, stretch{s.from + searchAtOnce, s.to, false}
}

// search searches for the typed text.
func (r *pane) search() tea.Cmd { return r.searchFor(r.find.field.Text()) }

// searchFor searches for several words. A part matches if it contains at least one of them.
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

// searchAgain restarts the search for the same words. If a match is selected, the view doesn't move.
func (r *pane) searchAgain() tea.Cmd {
	f := &r.find
	f.start(r.ctx, r.cur.bar)
	f.stays = f.at >= 0
	f.matches, f.at = nil, -1
	ahead := stretch{from: r.cur.bar.message, to: len(r.out.Refs)}
	behind := stretch{to: r.cur.bar.message, back: true}
	return searchDoc(f.ctx, r.searching(), ahead, behind)
}

// searchOn searches the messages from index from to the end, because they are new or may have grown. The matches in
// earlier messages stay.
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

// start starts a new search at the bar.
func (f *finder) start(ctx context.Context, at bar) {
	f.stop()
	f.gen++
	f.ctx, f.cancel = context.WithCancel(ctx)
	f.running, f.from = true, at
}

// stop ends the running search. Its matches stay.
func (f *finder) stop() {
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	f.running = false
}

// clear ends the search.
func (f *finder) clear() {
	f.stop()
	*f = finder{gen: f.gen + 1, field: field.New(field.Words)}
}

// searched adds a batch of matches. It selects the first match at or after the bar. If there is none, it selects
// the last match before the bar.
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

func compareFound(a, b found) int {
	if a.message != b.message {
		return a.message - b.message
	}
	return a.block - b.block
}

// nearest returns the index of the first match at or after the bar, which was at a block of f.from when the search
// started. If there is no such match, it returns the last match if behindToo is set, and otherwise -1.
func (f *finder) nearest(block int, behindToo bool) int {
	i := slices.IndexFunc(f.matches, func(p found) bool {
		return p.message > f.from.message || p.message == f.from.message && p.block >= block
	})
	if i < 0 && behindToo {
		return len(f.matches) - 1
	}
	return i
}

// toMatch goes to the matching line nth of match i. It opens the part if the part is folded.
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

func (f *finder) shows(e *cached, p talk.Part) bool {
	return slices.ContainsFunc(e.lines[p.From:p.To], func(line string) bool { return f.needle.In(ansi.Strip(line)) })
}

// lines returns the indexes of the matching lines of a part, counted from the first line of the part. A match that
// continues on the next line belongs to the line on which it starts.
func (f *finder) lines(e *cached, p talk.Part) []int {
	var found []int
	before := ""
	for i, line := range e.lines[p.From:p.To] {
		text := ansi.Strip(line)
		if f.needle.In(text) {
			found = append(found, i)
			text = ""
		} else if i > 0 && f.needle.In(before+" "+strings.Trim(text, " │▌")) {
			found = append(found, i-1)
		}
		before = strings.TrimRight(text, " ")
	}
	return found
}

// line returns the matching line number f.nth of a part. It also sets f.here.
func (f *finder) line(e *cached, p talk.Part) int {
	lines := f.lines(e, p)
	if f.here = len(lines); f.here == 0 {
		return 0
	}
	f.nth = min(f.nth, len(lines)-1)
	return lines[f.nth]
}

const lastLine = 1 << 30

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

// linesHere returns the number of matching lines in the selected part; 0 if the part isn't drawn.
func (f *finder) linesHere(c *cache) int {
	if f.at < 0 || f.at >= len(f.matches) {
		return 0
	}
	p := f.matches[f.at]
	e := c.messages[p.message]
	if e == nil || e.stale {
		return 0
	}
	return len(f.lines(e, e.parts[e.partOf(p.block)]))
}

// status describes the result of the search for the status line.
func (f *finder) status() string {
	what := "/" + transcript.CleanLine(f.pattern) + "   "
	switch n := len(f.matches); {
	case n == 0 && f.running:
		return what + "searching…"
	case n == 0:
		return what + "is not in this conversation" + f.inAgents()
	default:
		what += "match " + words.Count(f.at+1) + " of " + words.Count(n)
		if f.running {
			what += "…"
		}
		if f.here > 1 {
			what += ", line " + words.Count(min(f.nth, f.here-1)+1) + " of " + words.Count(f.here)
		}
		if f.around {
			what += "   wrapped around"
		}
		return what + f.inAgents()
	}
}

// inAgents returns a text that says how many matches the sub-agents have.
func (f *finder) inAgents() string {
	n := 0
	for i := range f.agents {
		n += f.agents[i].matches
	}
	if n == 0 {
		return ""
	}
	return ", " + words.Count(n) + " in " + words.Counted(len(f.agents), "sub-agent", "sub-agents")
}

// lineWith returns the index of the first line of a part that contains the start of a text.
func (e *cached) lineWith(p talk.Part, text string) int {
	want := []rune(opened.Plain(text))
	for n := min(len(want), 48); n > 0; n /= 2 {
		for i, line := range e.lines[p.From:p.To] {
			if strings.Contains(opened.Plain(ansi.Strip(line)), string(want[:n])) {
				return i
			}
		}
	}
	return 0
}
