package reader

import (
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

const (
	readAtOnce = 64       // maximum number of messages that a command decodes
	drawAtOnce = 16       // maximum number of messages that a command draws
	drawBytes  = 64 << 10 // maximum bytes of text that a command renders as markdown; one block may be larger
	// Maximum number of blocks outside the view that are rendered or highlighted after a jump; after a scroll, the
	// maximum is 1.
	aheadAtOnce = 8
)

// near returns the range of the messages that are in the view or at most one screen away.
func (r *pane) near(rows int) (from, to int) {
	spans := r.win.Visible(len(r.refs), rows, r.height)
	if len(spans) == 0 {
		return 0, 0
	}
	from, to = spans[0].Item, spans[len(spans)-1].Item
	for n := rows; n > 0 && from > 0; n -= r.height(from) {
		from--
	}
	for n := rows; n > 0 && to < len(r.refs)-1; n -= r.height(to) {
		to++
	}
	return from, to + 1
}

// missing returns the first range of messages to decode. The range has at most readAtOnce messages. Visible
// messages come first.
func (r *pane) missing(rows int) (from, to int) {
	spans := r.win.Visible(len(r.refs), rows, r.height)
	if len(spans) == 0 {
		return 0, 0
	}
	first, last := r.near(rows)
	for _, try := range [][2]int{{spans[0].Item, last}, {first, spans[0].Item}} {
		from = try[0]
		for from < try[1] && (r.cache.messages[from] != nil || r.hidden(from)) {
			from++
		}
		to = from
		for to < try[1] && to-from < readAtOnce && r.cache.messages[to] == nil && !r.hidden(to) {
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

// undrawn returns the messages to draw again. Such a message was drawn for another width, theme or fold, or it
// contains text that isn't rendered as markdown yet, or code that isn't highlighted yet. Visible messages come
// first. At most r.ahead blocks outside the view are rendered or highlighted, so that one step of a scroll costs
// at most one block.
func (r *pane) undrawn(rows, width int, theme render.Theme) []drawing {
	if r.goal != nil {
		r.ahead = max(r.ahead, 1)
	}
	visible := r.win.Visible(len(r.refs), rows, r.height)
	if len(visible) == 0 {
		return nil
	}
	b := batch{r: r, width: width, theme: theme}
	for _, s := range visible {
		b.add(s.Item, s.From, s.To, false)
	}
	from, to := r.near(rows)
	for i := visible[0].Item - 1; i >= from; i-- {
		b.add(i, 0, r.height(i), true)
	}
	for i := visible[0].Item; i < to; i++ {
		b.add(i, 0, r.height(i), true)
	}
	return b.which
}

// batch collects the messages for one command that draws.
type batch struct {
	r     *pane
	width int
	theme render.Theme
	which []drawing
	bytes int
}

// add adds a message unless its rows [from, to) are drawn completely. ahead means that these rows aren't visible.
func (b *batch) add(i, from, to int, ahead bool) {
	e := b.r.cache.messages[i]
	if e == nil || b.r.hidden(i) || len(b.which) >= drawAtOnce || b.bytes >= drawBytes {
		return
	}
	fits := e.width == b.width && e.theme == b.theme
	d := e.drawing
	if !fits {
		d.pretty = nil
	}
	var want []int
	for _, p := range e.parts {
		if p.To <= from || p.From >= to || !d.waits(p.Block) || b.bytes >= drawBytes {
			continue
		}
		if ahead {
			if b.r.ahead <= 0 {
				continue
			}
			b.r.ahead--
		}
		want = append(want, p.Block)
		b.bytes += len(d.msg.Blocks[p.Block].Text) + d.uncoded[p.Block]
	}
	if !ahead && len(want) > 0 {
		b.r.ahead = max(b.r.ahead-len(want), 0)
	}
	at := slices.IndexFunc(b.which, func(d drawing) bool { return d.index == i })
	switch {
	case at >= 0:
		b.which[at].want = append(slices.Clip(b.which[at].want), want...)
	case !fits || e.stale || len(want) > 0:
		d.want = want
		d.base, d.folds = b.r.base, b.r.foldsOf(i)
		d.head = b.r.headOf(i)
		d.after = b.r.endBefore(i, d.after)
		b.which = append(b.which, d)
	}
}

// endBefore returns how the previous message ends in its current drawing. If that message isn't decoded, it
// returns known.
func (r *pane) endBefore(i int, known talk.Ending) talk.Ending {
	if e := r.cache.messages[r.shownBefore(i)]; e != nil {
		return e.end
	}
	return known
}

// timeBefore returns the time of the last message before i in its thread that has a time; zero if there is none.
func (r *pane) timeBefore(i int) time.Time {
	for k := i - 1; k >= 0 && r.refs[k].Thread == r.refs[i].Thread; k-- {
		if r.refs[k].Time != 0 {
			return transcript.At(r.refs[k].Time)
		}
	}
	return time.Time{}
}

// foldsOf returns those folds of a message that differ from base, by block.
func (r *pane) foldsOf(i int) map[int]talk.Fold {
	var folds map[int]talk.Fold
	for k, f := range r.folds {
		if k.message == key(r.refs, i) {
			if folds == nil {
				folds = map[int]talk.Fold{}
			}
			folds[k.block] = f
		}
	}
	return folds
}

// drawn stores new drawings. The bar stays on its row of the screen.
func (r *pane) drawn(drawings []drawing, width int, theme render.Theme, rows int) {
	at, _ := r.barRows()
	inView, atTop := at >= 0 && at < rows, r.win == blocks.Window{}
	for _, d := range drawings {
		if d.index >= len(r.refs) {
			continue
		}
		old := r.height(d.index)
		before := r.cache.messages[d.index]
		r.cache.put(d, width, theme)
		r.heights[d.index] = int32(min(len(d.lines), 1<<30)) //nolint:gosec // limited by min
		r.win.Resized(d.index, old, len(d.lines))
		e := r.cache.messages[d.index]
		e.stale = d.base != r.base || !sameFolds(d.folds, r.foldsOf(d.index)) || r.endBefore(d.index, d.after) != d.after || !d.same(r.headOf(d.index))
		if next := r.cache.messages[r.shownAfter(d.index)]; next != nil && next.after != d.end && (before == nil || before.end != d.end) {
			next.stale = true
		}
	}
	r.win.Fit(len(r.refs), rows, r.height)
	if r.win.Pin == 0 && inView {
		// At the top, scroll only if the bar would leave the view.
		if now, _ := r.barRows(); now != at && (!atTop || now >= rows) {
			r.win.Off += now - at
			r.win.Fit(len(r.refs), rows, r.height)
		}
	}
	if r.win.Pin == 0 {
		r.keepBar(at, rows)
	}
	r.reach(rows)
	r.unveil(rows)
	from, to := r.near(rows)
	r.cache.trim(from, to, r.sticky())
}

func sameFolds(a, b map[int]talk.Fold) bool {
	if len(a) != len(b) {
		return false
	}
	for k, f := range a {
		if g, ok := b[k]; !ok || f != g {
			return false
		}
	}
	return true
}

// read stores decoded messages. It shows an error for each message that couldn't be decoded. Without the error,
// the reader would request the message again.
func (r *pane) read(msg readMsg, rows int) {
	r.readingNow = false
	if msg.version != r.version || errors.Is(msg.err, opened.ErrOlder) {
		return
	}
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
		drawings = append(drawings, drawing{
			index: i, msg: m, after: talk.Prose, lines: []string{""}, parts: []talk.Part{{Block: -1, To: 1}}, end: talk.Prose,
			base: staleBase,
		})
	}
	r.drawn(drawings, msg.width, msg.theme, rows)
}

// staleBase is a fold that no message has. A drawing with this fold is stale at once.
const staleBase = talk.Fold(255)
