package reader

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// finder is the search in a conversation, including folded parts. Results arrive in batches: first from the bar to the
// end, then from the bar back to the start.
type finder struct {
	gen     int
	typing  bool
	field   field.Field // the text field
	pattern string      // last search text
	words   []string    // the pattern, or the words of an earlier search
	needle  render.Needle
	from    bar             // where the bar was at the start of the search
	ctx     context.Context // context of the running search
	cancel  context.CancelFunc
	matches []found // in reading order
	at      int     // index of the selected match in matches, or -1
	nth     int     // index of the matching line in the part, or lastLine
	here    int     // number of matching lines in the selected part at the last step
	around  bool    // the last step wrapped around
	running bool
	stays   bool         // matches don't move the view when they arrive
	agents  []agentFound // sub-agents with matches
	inside  int          // number of the last opened sub-agent, from 1, or 0
}

// found is a part that matches. Comments call it a match, although it may have several matching lines.
type found struct{ message, block int }

// stretch is a range of messages to search, and the search direction.
type stretch struct {
	from, to int
	back     bool
}

// searchAtOnce is the maximum number of messages per command. Searching them takes some milliseconds.
const searchAtOnce = 128

// next returns the range to search next, and the remaining stretch.
func (s stretch) next() (now, rest stretch) {
	if s.to-s.from <= searchAtOnce {
		return s, stretch{}
	}
	if s.back {
		return stretch{s.to - searchAtOnce, s.to, true}, stretch{s.from, s.to - searchAtOnce, true}
	}
	return stretch{s.from, s.from + searchAtOnce, false}, stretch{s.from + searchAtOnce, s.to, false}
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

func compareFound(a, b found) int {
	if a.message != b.message {
		return a.message - b.message
	}
	return a.block - b.block
}

// nearest returns the index of the first match from the bar on. Without such a match, it returns the last match if
// behindToo is set, or -1.
func (f *finder) nearest(block int, behindToo bool) int {
	i := slices.IndexFunc(f.matches, func(p found) bool {
		return p.message > f.from.message || p.message == f.from.message && p.block >= block
	})
	if i < 0 && behindToo {
		return len(f.matches) - 1
	}
	return i
}

func (f *finder) shows(e *cached, p talk.Part) bool {
	return slices.ContainsFunc(e.lines[p.From:p.To], func(line string) bool { return f.needle.In(ansi.Strip(line)) })
}

// lines returns the indexes of the matching lines of a part. A match that continues on the next line belongs to its
// first line.
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

// line returns the matching line number f.nth of a part. It sets f.here.
func (f *finder) line(e *cached, p talk.Part) int {
	lines := f.lines(e, p)
	if f.here = len(lines); f.here == 0 {
		return 0
	}
	f.nth = min(f.nth, len(lines)-1)
	return lines[f.nth]
}

const lastLine = 1 << 30

// linesHere returns the number of matching lines in the selected part, or 0 if it isn't drawn.
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

// inAgents returns a text with the number of matches in sub-agents.
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
