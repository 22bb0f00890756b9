package tui

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// reader is the pane that shows one conversation. It knows of every message its kind and an estimate of its
// height; the messages around the view are decoded and drawn by commands, one at a time of each sort.
type reader struct {
	row    sessions.Row
	gen    int
	ctx    context.Context // ends when the pane is left
	cancel context.CancelFunc
	doc    *document
	err    error
	slow   bool // opening it takes long enough to say so

	refs     []transcript.MessageRef
	headings map[int]*transcript.Thread // by the first message of each thread but the main one
	prompts  []int                      // messages that are prompts
	turns    []int32                    // how many of the messages up to each one are prompts and answers
	heights  []int32                    // rows of each message as last drawn, 0 not drawn yet
	cache    cache
	win      window

	readingNow, drawingNow bool // a command is on its way
}

const (
	readAtOnce = 64       // messages that one command decodes
	drawAtOnce = 16       // messages that one command draws
	drawBytes  = 64 << 10 // bytes of text that one command draws, unless one message has more
)

// opened takes the document in and goes to the end of the main thread.
func (r *reader) opened(msg openedMsg, rows int) {
	r.doc, r.err, r.refs = msg.doc, msg.err, msg.refs
	r.heights = make([]int32, len(r.refs))
	r.headings = map[int]*transcript.Thread{}
	r.turns = make([]int32, len(r.refs))
	turns := int32(0)
	for i := range r.refs {
		switch r.refs[i].Kind {
		case transcript.Prompt:
			r.prompts = append(r.prompts, i)
			turns++
		case transcript.Answer:
			turns++
		case transcript.Notice, transcript.Boundary, transcript.Summary, transcript.System:
		}
		r.turns[i] = turns
		t := r.refs[i].Thread
		if i > 0 && t == r.refs[i-1].Thread || t < 0 || t >= len(msg.threads) {
			continue
		}
		if msg.threads[t].Kind != transcript.Main {
			r.headings[i] = &msg.threads[t]
		}
	}
	r.win.endAt(mainEnd(r.refs, msg.threads), len(r.refs), rows, r.height)
}

// mainEnd is the last message of the main thread, the last of all when there is none.
func mainEnd(refs []transcript.MessageRef, threads []transcript.Thread) int {
	for i := len(refs) - 1; i >= 0; i-- {
		if t := refs[i].Thread; t >= 0 && t < len(threads) && threads[t].Kind == transcript.Main {
			return i
		}
	}
	return len(refs) - 1
}

// height is the rows of a message: as drawn, else a guess by its kind.
func (r *reader) height(i int) int {
	if h := r.heights[i]; h > 0 {
		return int(h)
	}
	switch r.refs[i].Kind {
	case transcript.Prompt:
		return 3
	case transcript.Answer:
		return 6
	case transcript.Notice, transcript.Boundary, transcript.Summary, transcript.System:
	}
	return 1
}

// near is the range of messages that the view and one screen on either side show.
func (r *reader) near(rows int) (from, to int) {
	spans := r.win.visible(len(r.refs), rows, r.height)
	if len(spans) == 0 {
		return 0, 0
	}
	from, to = spans[0].item, spans[len(spans)-1].item
	for n := rows; n > 0 && from > 0; n -= r.height(from) {
		from--
	}
	for n := rows; n > 0 && to < len(r.refs)-1; n -= r.height(to) {
		to++
	}
	return from, to + 1
}

// missing is the first stretch of messages that have to be decoded, at most readAtOnce, the visible ones first.
func (r *reader) missing(rows int) (from, to int) {
	spans := r.win.visible(len(r.refs), rows, r.height)
	if len(spans) == 0 {
		return 0, 0
	}
	first, last := r.near(rows)
	for _, try := range [][2]int{{spans[0].item, last}, {first, spans[0].item}} {
		from = try[0]
		for from < try[1] && r.cache.messages[from] != nil {
			from++
		}
		to = from
		for to < try[1] && to-from < readAtOnce && r.cache.messages[to] == nil {
			to++
		}
		if to > from {
			return from, to
		}
	}
	if p := r.sticky(); p >= 0 && r.cache.messages[p] == nil {
		return p, p + 1
	}
	return 0, 0
}

// undrawn lists the messages to be drawn through markdown, or anew for another width or theme: the visible ones
// first, then those around.
func (r *reader) undrawn(rows, width int, theme render.Theme) []drawing {
	var which []drawing
	bytes := 0
	take := func(from, to int) {
		for i := from; i < to && len(which) < drawAtOnce && bytes < drawBytes; i++ {
			e := r.cache.messages[i]
			if e == nil || e.pretty && e.width == width && e.theme == theme {
				continue
			}
			if !slices.ContainsFunc(which, func(d drawing) bool { return d.index == i }) {
				which = append(which, e.drawing)
				bytes += e.bytes
			}
		}
	}
	if spans := r.win.visible(len(r.refs), rows, r.height); len(spans) > 0 {
		take(spans[0].item, spans[len(spans)-1].item+1)
	}
	take(r.near(rows))
	return which
}

// drawn takes drawings in. What is visible stays where it is.
func (r *reader) drawn(drawings []drawing, width int, theme render.Theme, rows int) {
	for _, d := range drawings {
		old := r.height(d.index)
		r.cache.put(d, width, theme)
		r.heights[d.index] = int32(min(len(d.lines), 1<<30)) //nolint:gosec // bounded on the left
		r.win.resized(d.index, old, len(d.lines))
	}
	r.win.fit(len(r.refs), rows, r.height)
	from, to := r.near(rows)
	r.cache.trim(from, to)
}

// read takes decoded messages in. Those that did not come are shown as what they are, so that they are not asked
// for again and again.
func (r *reader) read(msg readMsg, rows int) {
	r.readingNow = false
	drawings := msg.drawn
	have := map[int]bool{}
	for _, d := range drawings {
		have[d.index] = true
	}
	for i := msg.from; i < msg.to && i < len(r.refs); i++ {
		if have[i] {
			continue
		}
		reason := "the file has changed since it was opened"
		if msg.err != nil {
			reason = msg.err.Error()
		}
		m := &transcript.Message{Kind: r.refs[i].Kind, Err: reason}
		drawings = append(drawings, drawing{index: i, msg: m, after: render.Prose, lines: []string{""}})
	}
	r.drawn(drawings, msg.width, msg.theme, rows)
}

// sticky is the prompt that the view belongs to and that has left it at the top; -1 when there is none.
func (r *reader) sticky() int {
	i, found := slices.BinarySearch(r.prompts, r.win.top)
	if found && r.win.off <= 1 { // its first line, behind a blank one, is visible
		return -1
	}
	if found {
		return r.prompts[i]
	}
	if i == 0 {
		return -1
	}
	return r.prompts[i-1]
}

// jump goes to the next (1) or the previous (-1) prompt.
func (r *reader) jump(step, rows int) {
	i, found := slices.BinarySearch(r.prompts, r.win.top)
	switch {
	case step > 0 && found:
		i++
	case step < 0 && (!found || r.win.off <= 1):
		i--
	}
	if i < 0 || i >= len(r.prompts) {
		return
	}
	p := r.prompts[i]
	r.win.show(p, min(p, 1), len(r.refs), rows, r.height)
}

// position is the message to be named in the status line, from 1: the last one at the end, else the first visible.
func (r *reader) position(rows int) int {
	spans := r.win.visible(len(r.refs), rows, r.height)
	if len(spans) == 0 {
		return 0
	}
	if last := spans[len(spans)-1]; last.to == r.height(last.item) && (last.item == len(r.refs)-1 || last.item == r.win.pin-1) {
		return last.item + 1
	}
	return spans[0].item + 1
}
