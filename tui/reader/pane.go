package reader

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// pane shows one conversation or document. It knows the kind of every message, and the height of every message,
// which may be an estimate. Commands decode and draw the messages around the view. Only one command of each kind
// runs at a time (fetch.go). The bar selects a part of a message, such as a text, a call or a thought (bar.go).
type pane struct {
	row    sessions.Row
	ctx    context.Context // ends when the pane is closed
	cancel context.CancelFunc
	doc    *opened.File
	err    error
	slow   bool // opening takes so long that the page should say so

	agent *screen.Agent // facts about the sub-agent whose transcript it is; nil for none

	refs       []transcript.MessageRef
	version    int // version of refs; it increases when the file grows
	threads    []transcript.Thread
	shown      int                        // branch shown instead of the messages after its split; 0 for all threads
	splits     map[int]int                // number of branches that split off after a message
	headings   map[int]*transcript.Thread // by the first message of each thread except the main one
	prompts    []int                      // messages that are prompts, or the sections of a document
	bounds     []int                      // messages that are compaction boundaries
	turns      []int32                    // number of prompts and answers up to each message
	works      []work                     // turns with work, in order
	turnOf     []int32                    // by message: index in works plus one, 0 for none
	tallies    map[int32]*tally           // by the key of the lead
	dropped    map[int32]*dropped.List    // what summaries leave out, by their keys; At of an item is the key of its message
	droppedOf  map[int32]int              // number of all items before the summary, by the key of the summary
	dropFailed bool                       // what a summary leaves out could not be read: it is read again only when the list is opened
	runs       map[int][]talk.RunPart     // by message of an open turn
	last       int                        // index of the last message of the main thread
	written    []string                   // UUIDs of the last records; see opened.LastRecords
	heights    []int32                    // rows of each message when last drawn, 0 if never drawn
	cache      cache
	win        blocks.Window
	bar        bar
	goal       *goal  // target to scroll to as soon as it is drawn
	at         *Spot  // initial position; nil for the end, or the start of a document
	seeks      string // todo or next step of a document to go to
	follow     bool   // F was pressed: the view follows the end
	lost       bool   // the file was rewritten
	foldedAt   int    // row of the view where a part was last opened
	reveal     bool   // a part was opened; call unveil as soon as it is drawn

	base  talk.Fold // default fold
	quiet int       // number of notices of the client
	noisy bool      // these notices are shown
	known bool      // the key M was pressed, so messages that the model doesn't know are faint
	folds map[foldKey]talk.Fold
	find  finder

	marking marking
	failing failing
	goingTo int // how many IDs were looked up

	// How many blocks outside the view may still be rendered.
	ahead                                                         int
	readingNow, drawingNow, followingNow, countingNow, listingNow bool // a command of this kind is running
	grown                                                         bool // the file has grown since the last followDoc
}

// foldKey identifies a block that can be opened. The message of the block is identified by its first record.
type foldKey struct {
	message int32
	block   int
}

// Spot is a position in a conversation. It stays valid if the conversation grows, or is closed and opened again.
type Spot struct {
	message int32 // first record of the message
	part    int
	row     int // row of the screen on which the bar is
	base    talk.Fold
	folds   map[foldKey]talk.Fold
}

// key returns a number that identifies a message as long as the file only grows. It is the index of the first
// record of the message. A section of a document has no record. Its key is made from its ID, which is a hash of
// its text.
func key(refs []transcript.MessageRef, i int) int32 {
	if len(refs[i].Records) == 0 {
		return -1 - int32(refs[i].ID&0x7ffffffe) //nolint:gosec // 31 bits
	}
	return refs[i].Records[0]
}

// opened stores the document. Then it goes to the initial position.
func (r *pane) opened(msg openedMsg, rows int) {
	r.doc, r.err, r.written = msg.doc, msg.err, msg.last
	r.outlined(msg.refs, msg.threads)
	if r.row.Kind == sessions.KindSession && !r.row.Dated() { // a sub-agent's transcript isn't in the lists
		for i := range r.refs {
			if at := transcript.At(r.refs[i].Time); !at.IsZero() {
				if r.row.First.IsZero() {
					r.row.First = at
				}
				r.row.Last = at
			}
		}
	}
	r.heights = make([]int32, len(r.refs))
	r.ahead = aheadAtOnce
	at := r.at
	r.at = nil
	if at != nil {
		r.base, r.folds = at.base, at.folds
		r.reopen()
		for i := range r.refs {
			if key(r.refs, i) == at.message {
				r.bar = bar{i, at.part}
				r.goal = &goal{message: i, part: at.part, row: at.row}
				r.win.Show(i, 0, len(r.refs), rows, r.height)
				return
			}
		}
	}
	if r.row.Kind == sessions.KindDocument { // skip the front matter
		if first := slices.IndexFunc(r.refs, func(m transcript.MessageRef) bool { return m.Turn }); first > 0 {
			r.bar = bar{message: first}
			r.win.Show(first, 0, len(r.refs), rows, r.height)
		}
		return
	}
	r.win.EndAt(r.last, len(r.refs), rows, r.height)
	r.bar = r.end()
}

// outlined stores the outline.
func (r *pane) outlined(refs []transcript.MessageRef, threads []transcript.Thread) {
	r.refs, r.threads, r.headings, r.splits = refs, threads, map[int]*transcript.Thread{}, map[int]int{}
	for _, t := range r.branches() {
		r.splits[threads[t].From]++
	}
	r.prompts, r.bounds, r.turns = nil, nil, make([]int32, len(refs))
	r.last = opened.MainEnd(refs, threads)
	if r.shown > 0 {
		r.last = threads[r.shown].Messages[len(threads[r.shown].Messages)-1]
	}
	isDocument := r.row.Kind == sessions.KindDocument
	turns := int32(0)
	for i := range refs {
		t := refs[i].Thread
		known := t >= 0 && t < len(threads)
		switch kind := refs[i].Kind; {
		case r.off(i):
		case kind == transcript.Prompt && !refs[i].Command, isDocument && kind == transcript.Answer:
			r.prompts = append(r.prompts, i)
		case kind == transcript.Boundary:
			r.bounds = append(r.bounds, i)
		}
		if refs[i].Turn && !r.off(i) {
			turns++
		}
		r.turns[i] = turns
		if i > 0 && t == refs[i-1].Thread || !known {
			continue
		}
		if threads[t].Kind != transcript.Main {
			r.headings[i] = &threads[t]
		}
	}
	r.turned()
}

// height returns the height of a message in rows. A hidden message has no rows. For other messages, this is the
// height of the last drawing, or an estimate by the kind of the message.
func (r *pane) height(i int) int {
	if r.hidden(i) {
		return 0
	}
	if h := r.heights[i]; h > 0 {
		return int(h)
	}
	if r.row.Kind == sessions.KindDocument {
		return 6
	}
	if w := r.workOf(i); w != nil && !w.open {
		return 1
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

// spot returns the position at which to open the row again. It returns nil at the end, because the end is the
// default.
func (r *pane) spot() *Spot {
	if r.doc == nil || len(r.refs) == 0 || r.win.Pin > 0 && len(r.folds) == 0 && r.base == talk.Fixed {
		return nil
	}
	from, _ := r.barRows()
	return &Spot{message: key(r.refs, r.bar.message), part: r.bar.part, row: from, base: r.base, folds: r.folds}
}

// sticky returns the index of the prompt to which the visible messages belong. It returns -1 if that prompt is
// visible.
func (r *pane) sticky() int {
	if r.row.Kind == sessions.KindDocument {
		return -1
	}
	// The message at the top if it is a prompt, otherwise the last prompt before it.
	i := before(r.prompts, r.win.Top+1)
	if i < 0 || r.prompts[i] == r.win.Top && r.win.Off <= r.part(bar{r.win.Top, 0}).From {
		return -1 // the first line of the prompt is visible
	}
	return r.prompts[i]
}
