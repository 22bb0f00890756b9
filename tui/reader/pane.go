package reader

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// pane shows one conversation or document. It knows of every message its kind and an estimate of its height; the messages
// around the view are decoded and drawn by commands, one at a time of each sort (fetch.go). The bar stands on a part of a
// message: a text, a call, a thought (bar.go).
type pane struct {
	row    sessions.Row
	ctx    context.Context // ends when the pane is left
	cancel context.CancelFunc
	doc    *opened.File
	err    error
	slow   bool // opening it takes long enough to say so

	refs     []transcript.MessageRef
	version  int                        // of refs: it grows when the file has grown
	headings map[int]*transcript.Thread // by the first message of each thread but the main one
	prompts  []int                      // messages that are prompts; the sections of a document
	bounds   []int                      // messages that are compaction boundaries
	turns    []int32                    // how many of the messages up to each one are prompts and answers
	last     int                        // last message of the main thread
	heights  []int32                    // rows of each message as last drawn, 0 not drawn yet
	cache    cache
	win      blocks.Window
	bar      bar
	goal     *goal  // where the view goes as soon as it is drawn
	at       *Spot  // where it opens; nil: at the end, a document at its start
	seeks    string // a document: it goes to this todo or next step
	follow   bool   // F: the view stays at the end while the conversation grows
	lost     bool   // the file is no longer the one that was opened
	foldedAt int    // row of the view that the last thing was opened at
	reveal   bool   // something was opened at the lower edge: scroll it up once it is drawn

	base  talk.Fold // how far everything is open that folds does not name
	folds map[foldKey]talk.Fold
	find  finder

	ahead                                int  // blocks that may still be rendered before they are visible
	readingNow, drawingNow, followingNow bool // a command is on its way
	grown                                bool // the file has grown since it was last asked for
}

// foldKey names what can be opened: the message by its first record, the block of it.
type foldKey struct {
	message int32
	block   int
}

// Spot is a place in a conversation that survives its growth and its closing.
type Spot struct {
	message int32 // first record
	part    int
	row     int // of the screen that the bar is on
	base    talk.Fold
	folds   map[foldKey]talk.Fold
}

// key names a message for as long as its file only grows: by its first record. A section of a document has none, but
// an id that is made of its text.
func key(refs []transcript.MessageRef, i int) int32 {
	if len(refs[i].Records) == 0 {
		return -1 - int32(refs[i].ID&0x7ffffffe) //nolint:gosec // 31 bits
	}
	return refs[i].Records[0]
}

// opened takes the document in and goes to where it opens.
func (r *pane) opened(msg openedMsg, rows int) {
	r.doc, r.err = msg.doc, msg.err
	r.outlined(msg.refs, msg.threads)
	r.heights = make([]int32, len(r.refs))
	r.ahead = aheadAtOnce
	at := r.at
	r.at = nil
	if at != nil {
		r.base, r.folds = at.base, at.folds
		for i := range r.refs {
			if key(r.refs, i) == at.message {
				r.bar = bar{i, at.part}
				r.goal = &goal{message: i, part: at.part, row: at.row}
				r.win.Show(i, 0, len(r.refs), rows, r.height)
				return
			}
		}
	}
	if r.row.Kind == sessions.KindDocument { // it opens on its first section, below the front matter
		if first := slices.IndexFunc(r.refs, func(m transcript.MessageRef) bool { return m.Turn }); first > 0 {
			r.bar = bar{message: first}
			r.win.Show(first, 0, len(r.refs), rows, r.height)
		}
		return
	}
	r.win.EndAt(r.last, len(r.refs), rows, r.height)
	r.bar = bar{r.last, lastPart}
}

// outlined learns what the messages are.
func (r *pane) outlined(refs []transcript.MessageRef, threads []transcript.Thread) {
	r.refs, r.headings = refs, map[int]*transcript.Thread{}
	r.prompts, r.bounds, r.turns = nil, nil, make([]int32, len(refs))
	r.last = opened.MainEnd(refs, threads)
	isDocument := r.row.Kind == sessions.KindDocument
	turns := int32(0)
	for i := range refs {
		t := refs[i].Thread
		known := t >= 0 && t < len(threads)
		switch kind := refs[i].Kind; {
		case kind == transcript.Prompt, isDocument && kind == transcript.Answer:
			r.prompts = append(r.prompts, i)
		case kind == transcript.Boundary:
			r.bounds = append(r.bounds, i)
		}
		if refs[i].Turn {
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
}

// height is the rows of a message: as drawn, else a guess by its kind.
func (r *pane) height(i int) int {
	if h := r.heights[i]; h > 0 {
		return int(h)
	}
	if r.row.Kind == sessions.KindDocument {
		return 6
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

// spot is where the reader is, to be opened there again; nil at the end, where it opens anyway.
func (r *pane) spot() *Spot {
	if r.doc == nil || len(r.refs) == 0 || r.win.Pin > 0 && len(r.folds) == 0 && r.base == talk.Fixed {
		return nil
	}
	from, _ := r.barRows()
	return &Spot{message: key(r.refs, r.bar.message), part: r.bar.part, row: from, base: r.base, folds: r.folds}
}

// sticky is the prompt that the view belongs to and that has left it at the top; -1 when there is none.
func (r *pane) sticky() int {
	if r.row.Kind == sessions.KindDocument {
		return -1
	}
	i := before(r.prompts, r.win.Top+1) // at the top message, or the last one before it
	if i < 0 || r.prompts[i] == r.win.Top && r.win.Off <= r.part(bar{r.win.Top, 0}).From {
		return -1 // its first line, behind a blank one or that of a day, is visible
	}
	return r.prompts[i]
}
