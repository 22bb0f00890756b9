package reader

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
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

// lists reports whether a message is a summary. Below a summary is the list of the items that the summary leaves
// out.
func (r *pane) lists(i int) bool {
	return r.refs[i].Kind == transcript.Summary && r.row.Kind != sessions.KindDocument
}

// replaced returns how many messages the model no longer knows because of a summary; 0 for other messages.
func (r *pane) replaced(i int) (n int) {
	if !r.lists(i) {
		return 0
	}
	for _, span := range dropped.Spans(r.refs) {
		for k := span.From; span.At == i && k < i; k++ {
			if r.refs[k].Turn && !r.refs[k].Known {
				n++
			}
		}
	}
	return n
}

// summaryBelow returns the index of the summary below the selected compaction; 0 if there is none.
func (r *pane) summaryBelow() int {
	if i := r.bar.message + 1; i < len(r.refs) && r.refs[i-1].Kind == transcript.Boundary && r.refs[i].Kind == transcript.Summary {
		return i
	}
	return 0
}

// mostCounted is the maximum number of messages before a compaction for which the list of left out items is read in
// advance. After more messages, the list is read when the user opens it.
const mostCounted = 1000

// undropped returns the span of the first visible summary whose list must be read now.
func (r *pane) undropped(rows int) (span dropped.Span, ok bool) {
	for _, s := range r.win.Visible(len(r.refs), rows, r.height) {
		if !r.lists(s.Item) || r.dropped[key(r.refs, s.Item)] != nil {
			continue
		}
		for _, span = range dropped.Spans(r.refs) {
			if span.At == s.Item && (r.isListOpen(s.Item) || !r.dropFailed && span.At-span.From <= mostCounted) {
				return span, true
			}
		}
	}
	return span, false
}

// isListOpen reports whether the user has opened the list below a summary.
func (r *pane) isListOpen(summary int) bool {
	d := drawing{base: r.base, folds: r.foldsOf(summary)}
	return d.foldOf(talk.DroppedBlock) >= talk.Open
}

// readDropped returns a command that finds the items that a summary leaves out. The command decodes only messages
// with calls, a few at a time.
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

// leftOut stores the items that a summary leaves out. After an error it folds the list; an open list would be read
// again at once.
func (p *Page) leftOut(msg droppedMsg) []screen.Effect {
	r := &p.pane
	r.listingNow = false
	switch {
	case msg.version != r.version || msg.summary >= len(r.refs):
	case msg.err != nil:
		r.dropFailed = true
		r.setFold(msg.summary, talk.DroppedBlock, talk.Shut)
		return []screen.Effect{screen.Fail{What: "The messages before the compaction could not be read.", Err: msg.err}}
	default:
		for i := range msg.list { // message indexes are only valid for this version
			msg.list[i].At = int(key(r.refs, msg.list[i].At))
		}
		if r.dropped == nil {
			r.dropped, r.droppedOf = map[int32]*dropped.List{}, map[int32]int{}
		}
		k := key(r.refs, msg.summary)
		r.dropped[k], r.droppedOf[k] = &msg.list, msg.of
		if e := r.cache.messages[msg.summary]; e != nil {
			e.stale = true
		}
		if r.bar.message == msg.summary && r.part(r.bar).Block == talk.DroppedBlock && r.isListOpen(msg.summary) {
			r.makeRoom(p.rows)
		}
	}
	return nil
}

// item returns the selected item of a list; nil if no item is selected.
func (r *pane) item() *dropped.Item {
	if r.bar.message >= len(r.refs) {
		return nil
	}
	list, n := r.dropped[key(r.refs, r.bar.message)], r.part(r.bar).Item
	if list == nil || n < 1 || n > len(*list) {
		return nil
	}
	return &(*list)[n-1]
}

// goLabel names what enter does on an item of a list.
func goLabel(it *dropped.Item) string {
	if it.Kind == dropped.Decision {
		return "go to the message"
	}
	return "go to the call"
}

// toItem goes to the call of the selected item of a list. It returns false if no item is selected.
func (r *pane) toItem(rows int) bool {
	it := r.item()
	if it == nil {
		return false
	}
	for i := range r.refs {
		if int(key(r.refs, i)) == it.At {
			r.showMessage(i)
			r.aim(goal{message: i, block: it.Block, ofBlock: true}, rows)
			return true
		}
	}
	return false
}
