package reader

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// droppedMsg has the items that a summary leaves out.
type droppedMsg struct {
	version, summary int
	list             dropped.List
	of               int // number of all items before the summary
	err              error
}

// summaries has what summaries leave out, by the keys of the summaries.
type summaries struct {
	dropped map[int32]*dropped.List // At of an item is the key of its message
	of      map[int32]int           // number of all items before the summary
	failed  bool                    // a read failed, so lists are read only when opened
}

func (s *summaries) put(key int32, list *dropped.List, of int) {
	if s.dropped == nil {
		s.dropped, s.of = map[int32]*dropped.List{}, map[int32]int{}
	}
	s.dropped[key], s.of[key] = list, of
}

// mostCounted is the maximum number of replaced messages for a list that is read in advance. Longer lists are read when
// the user opens them.
const mostCounted = 1000

// undropped returns the messages before the first visible summary that needs its list.
func (v *viewport) undropped(rows int) (span dropped.Span, ok bool) {
	for _, s := range v.visible(rows) {
		if !v.out.IsSummary(s.Item) || v.summaries.dropped[v.out.Key(s.Item)] != nil {
			continue
		}
		for _, span = range dropped.Spans(v.out.Refs) {
			if span.At == s.Item && (v.isListOpen(s.Item) || !v.summaries.failed && span.At-span.From <= mostCounted) {
				return span, true
			}
		}
	}
	return span, false
}

// isListOpen reports whether the user has opened the list below a summary.
func (v *viewport) isListOpen(summary int) bool {
	return v.folds.Fold(summary, talk.DroppedBlock) >= talk.Open
}

// readDropped returns a command that finds the items that a summary leaves out. It decodes a few messages with calls at
// a time.
func readDropped(ctx context.Context, doc *opened.File, version int, refs []transcript.MessageRef, span dropped.Span) tea.Cmd {
	return func() tea.Msg {
		msg := droppedMsg{version: version, summary: span.At}
		before := dropped.Before{}
		for from := span.From; from < span.At && msg.err == nil; from++ {
			if refs[from].Calls == 0 {
				continue
			}
			to := from + 1
			for to < span.At && to-from < readAtOnce && refs[to].Calls > 0 {
				to++
			}
			var list []transcript.Message
			list, msg.err = doc.Messages(ctx, version, from, to)
			for i := range list {
				before.Add(from+i, &list[i])
			}
			from = to - 1
		}
		if msg.err == nil {
			var list []transcript.Message
			if list, msg.err = doc.Messages(ctx, version, span.At, span.At+1); msg.err == nil {
				msg.list, msg.of = before.NotIn(&list[0]), before.Len()
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

// leftOut stores the items that a summary leaves out. After an error, it folds the list, because an open list is read
// again at once.
func (p *Page) leftOut(msg droppedMsg) []screen.Effect {
	r := &p.pane
	r.busy.listing = false
	switch {
	case msg.version != r.version || msg.summary >= len(r.out.Refs):
	case msg.err != nil:
		r.view.summaries.failed = true
		r.cur.setFold(msg.summary, talk.DroppedBlock, talk.Shut)
		return []screen.Effect{screen.Fail{What: "The messages before the compaction could not be read.", Err: msg.err}}
	default:
		for i := range msg.list { // keys stay valid in later versions, indexes don't
			msg.list[i].At = int(r.out.Key(msg.list[i].At))
		}
		r.view.summaries.put(r.out.Key(msg.summary), &msg.list, msg.of)
		if e := r.view.cache.messages[msg.summary]; e != nil {
			e.stale = true
		}
		if r.cur.bar.message == msg.summary && r.view.part(r.cur.bar).Block == talk.DroppedBlock && r.view.isListOpen(msg.summary) {
			r.cur.makeRoom(p.rows)
		}
	}
	return nil
}

// goLabel names what enter does on an item of a list.
func goLabel(it *dropped.Item) string {
	if it.Kind == dropped.Decision {
		return "go to the message"
	}
	return "go to the call"
}

// toItem goes to the call of the selected item of a list. It returns false without an item.
func (c *cursor) toItem(rows int) bool {
	it := c.item()
	if it == nil {
		return false
	}
	i := c.out.Index(int32(it.At)) //nolint:gosec // it is a key
	if i < 0 {
		return false
	}
	c.showMessage(i)
	c.aim(goal{message: i, block: it.Block, ofBlock: true}, rows)
	return true
}
