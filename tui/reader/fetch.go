package reader

import (
	"errors"
	"slices"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

const (
	readAtOnce = 64       // maximum number of messages that a command decodes
	drawAtOnce = 16       // maximum number of messages that a command draws
	drawBytes  = 64 << 10 // maximum bytes of markdown per command; one block may be larger
	// maximum blocks outside the view that are rendered after a jump; after a scroll, 1
	aheadAtOnce = 8
)

// missing returns the first range of messages to decode, visible messages first.
func (v *viewport) missing(rows int) (from, to int) {
	spans := v.visible(rows)
	if len(spans) == 0 {
		return 0, 0
	}
	first, last := v.near(rows)
	for _, try := range [][2]int{{spans[0].Item, last}, {first, spans[0].Item}} {
		from = try[0]
		for from < try[1] && (v.cache.messages[from] != nil || v.folds.Hidden(from)) {
			from++
		}
		to = from
		for to < try[1] && to-from < readAtOnce && v.cache.messages[to] == nil && !v.folds.Hidden(to) {
			to++
		}
		if to > from {
			return from, to
		}
	}
	if p := v.sticky(); p >= 0 && v.cache.messages[p] == nil {
		return p, p + 1
	}
	return 0, 0
}

// undrawn returns the messages to draw again, visible ones first. At most v.ahead blocks outside the view are rendered
// or highlighted. A scroll by one row thus costs at most one block.
func (v *viewport) undrawn(rows, width int, theme render.Theme) []drawing {
	visible := v.visible(rows)
	if len(visible) == 0 {
		return nil
	}
	b := batch{v: v, width: width, theme: theme}
	for _, s := range visible {
		b.add(s.Item, s.From, s.To, false)
	}
	from, to := v.near(rows)
	for i := visible[0].Item - 1; i >= from; i-- {
		b.add(i, 0, v.height(i), true)
	}
	for i := visible[0].Item; i < to; i++ {
		b.add(i, 0, v.height(i), true)
	}
	return b.which
}

// batch collects the messages for one command that draws.
type batch struct {
	v     *viewport
	width int
	theme render.Theme
	which []drawing
	bytes int
}

// add adds a message whose rows [from, to) aren't drawn completely. ahead means outside the view.
func (b *batch) add(i, from, to int, ahead bool) {
	e := b.v.cache.messages[i]
	if e == nil || b.v.folds.Hidden(i) || len(b.which) >= drawAtOnce || b.bytes >= drawBytes {
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
			if b.v.ahead <= 0 {
				continue
			}
			b.v.ahead--
		}
		want = append(want, p.Block)
		b.bytes += len(d.msg.Blocks[p.Block].Text) + d.uncoded[p.Block]
	}
	if !ahead && len(want) > 0 {
		b.v.ahead = max(b.v.ahead-len(want), 0)
	}
	at := slices.IndexFunc(b.which, func(d drawing) bool { return d.index == i })
	switch {
	case at >= 0:
		b.which[at].want = append(slices.Clip(b.which[at].want), want...)
	case !fits || e.stale || len(want) > 0:
		d.want = want
		d.base, d.folds = b.v.folds.Base(), b.v.folds.Of(i)
		d.head = b.v.headOf(i)
		d.after = b.v.endBefore(i, d.after)
		b.which = append(b.which, d)
	}
}

// drawn stores new drawings. The bar stays on its row of the screen.
func (r *pane) drawn(drawings []drawing, width int, theme render.Theme, rows int) {
	at, _ := r.cur.barRows()
	inView, atTop := at >= 0 && at < rows, r.view.win == blocks.Window{}
	for _, d := range drawings {
		if d.index >= len(r.out.Refs) {
			continue
		}
		old := r.view.height(d.index)
		before := r.view.cache.messages[d.index]
		r.view.cache.put(d, width, theme)
		r.view.heights[d.index] = int32(min(len(d.lines), 1<<30)) //nolint:gosec // limited by min
		r.view.win.Resized(d.index, old, len(d.lines))
		e := r.view.cache.messages[d.index]
		e.stale = d.base != r.folds.Base() || !sameFolds(d.folds, r.folds.Of(d.index)) || r.view.endBefore(d.index, d.after) != d.after || !d.same(r.view.headOf(d.index))
		if next := r.view.cache.messages[r.folds.ShownAfter(d.index)]; next != nil && next.after != d.end && (before == nil || before.end != d.end) {
			next.stale = true
		}
	}
	r.view.fit(rows)
	if r.view.win.Pin == 0 && inView {
		// At the top, scroll only if the bar would leave the view.
		if now, _ := r.cur.barRows(); now != at && (!atTop || now >= rows) {
			r.view.win.Off += now - at
			r.view.fit(rows)
		}
	}
	if r.view.win.Pin == 0 {
		r.cur.keepBar(at, rows)
	}
	r.cur.reach(rows)
	r.cur.unveil(rows)
	from, to := r.view.near(rows)
	r.view.cache.trim(from, to, r.view.sticky())
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

// read stores decoded messages. It shows an error for each undecodable message. Without the error, the reader would
// request this message again.
func (r *pane) read(msg readMsg, rows int) {
	r.busy.reading = false
	if msg.version != r.version || errors.Is(msg.err, opened.ErrOlder) {
		return
	}
	drawings := msg.drawn
	have := map[int]bool{}
	for _, d := range drawings {
		have[d.index] = true
	}
	for i := msg.from; i < msg.to && i < len(r.out.Refs); i++ {
		if have[i] {
			continue
		}
		reason := "the file has changed since it was opened"
		if msg.err != nil {
			reason = msg.err.Error()
		}
		m := &transcript.Message{Kind: r.out.Refs[i].Kind, Err: reason}
		drawings = append(drawings, drawing{
			index: i, msg: m, after: talk.Prose, lines: []string{""}, parts: []talk.Part{{Block: -1, To: 1}}, end: talk.Prose,
			base: staleBase,
		})
	}
	r.drawn(drawings, msg.width, msg.theme, rows)
}

// staleBase is a fold that no message has. Its drawing is stale at once.
const staleBase = talk.Fold(255)
