package reader

import (
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/reader/outline"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// viewport has the visible rows of a file: the height of every message, and the drawings around the view. A height may
// be an estimate.
type viewport struct {
	out   *outline.Outline
	folds *outline.Folds

	win     blocks.Window
	heights []int32 // rows of each message when last drawn, or 0
	cache   cache
	ahead   int // blocks outside the view that may still be rendered

	live      bool // a client has the session open
	known     bool // the key M: unknown messages are faint
	summaries summaries
}

func (v *viewport) visible(rows int) []blocks.Span {
	return v.win.Visible(len(v.out.Refs), rows, v.height)
}

// show puts a row of a message at the top of the view.
func (v *viewport) show(i, off, rows int) { v.win.Show(i, off, len(v.out.Refs), rows, v.height) }

// endAt puts the end of a message at the bottom of the view, and pins the view to this end.
func (v *viewport) endAt(i, rows int) { v.win.EndAt(i, len(v.out.Refs), rows, v.height) }

func (v *viewport) scroll(delta, rows int) { v.win.Scroll(delta, len(v.out.Refs), rows, v.height) }

// fit adapts the view to changed heights.
func (v *viewport) fit(rows int) { v.win.Fit(len(v.out.Refs), rows, v.height) }

// height returns the rows of a message: the last drawing, or an estimate. A hidden message has no rows.
func (v *viewport) height(i int) int {
	if v.folds.Hidden(i) {
		return 0
	}
	if h := v.heights[i]; h > 0 {
		return int(h)
	}
	if v.out.Document {
		return 6
	}
	if w := v.out.Work(i); w != nil && !v.folds.IsOpen(w) {
		return 1
	}
	switch v.out.Refs[i].Kind {
	case transcript.Prompt:
		return 3
	case transcript.Answer:
		return 6
	case transcript.Notice, transcript.Boundary, transcript.Summary, transcript.System:
	}
	return 1
}

// y returns the row of the view on which a message starts. It may be outside the view.
func (v *viewport) y(i int) int {
	y := -v.win.Off
	for k := v.win.Top; k < i; k++ {
		y += v.height(k)
	}
	for k := i; k < v.win.Top; k++ {
		y -= v.height(k)
	}
	return y
}

// part returns the part that a bar selects, or the whole message if it isn't drawn.
func (v *viewport) part(b bar) talk.Part {
	if e := v.cache.messages[b.message]; e != nil && len(e.parts) > 0 {
		return e.parts[max(min(b.part, len(e.parts)-1), 0)]
	}
	return talk.Part{Block: -1, To: v.height(b.message)}
}

// near returns the range of the messages that are in the view or at most one screen away.
func (v *viewport) near(rows int) (from, to int) {
	spans := v.visible(rows)
	if len(spans) == 0 {
		return 0, 0
	}
	from, to = spans[0].Item, spans[len(spans)-1].Item
	for n := rows; n > 0 && from > 0; n -= v.height(from) {
		from--
	}
	for n := rows; n > 0 && to < len(v.out.Refs)-1; n -= v.height(to) {
		to++
	}
	return from, to + 1
}

// sticky returns the index of the prompt of the visible messages, or -1 if this prompt is visible.
func (v *viewport) sticky() int {
	if v.out.Document {
		return -1
	}
	// The prompt at the top, or the last prompt before it.
	i := outline.Before(v.out.Prompts, v.win.Top+1)
	if i < 0 || v.out.Prompts[i] == v.win.Top && v.win.Off <= v.part(bar{v.win.Top, 0}).From {
		return -1 // the first line of the prompt is visible
	}
	return v.out.Prompts[i]
}

// share returns the top and the end of the view in the conversation, between 0 and 1. Each message counts the same.
func (v *viewport) share(rows int) (above, end float64) {
	n := len(v.out.Refs)
	spans := v.visible(rows)
	if len(spans) == 0 {
		return 0, 1
	}
	at := func(item, row int) float64 {
		return (float64(item) + float64(row)/float64(v.height(item))) / float64(n)
	}
	first, last := spans[0], spans[len(spans)-1]
	if first.From > 0 || v.folds.ShownBefore(first.Item) >= 0 {
		above = at(first.Item, first.From)
	}
	if last.To < v.height(last.Item) {
		return above, at(last.Item, last.To)
	}
	return above, float64(v.folds.ShownAfter(last.Item)) / float64(n)
}

// untilPart returns the row on which the first part starts, or 0 if it is below most.
func (v *viewport) untilPart(most int) int {
	for i, y := v.win.Top, -v.win.Off; i < len(v.out.Refs) && y <= most; i++ {
		if e := v.cache.messages[i]; e != nil && v.height(i) > 0 {
			for _, p := range e.parts {
				if at := y + p.From; at >= 0 && at <= most {
					return at
				}
			}
		}
		y += v.height(i)
	}
	return 0
}

// endBefore returns how the previous message ends. If it isn't decoded, it returns known.
func (v *viewport) endBefore(i int, known talk.Ending) talk.Ending {
	if e := v.cache.messages[v.folds.ShownBefore(i)]; e != nil {
		return e.end
	}
	return known
}

// carry keeps the drawing of message i of the old outline if the drawing is still valid.
func (v *viewport) carry(g *outline.Growth, e *cached, i int) {
	if e == nil || g.Noticed && isRunning(e.msg) || !g.Same(i) {
		return
	}
	to := g.Moved(i)
	// a change of the previous message may add or remove the blank line between both messages
	e.stale = e.stale || e.heading != nil || v.out.Headings[to] != nil || !g.SameBefore(i)
	e.index, e.heading = to, v.out.Headings[to]
	v.cache.keep(e)
}
