package reader

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader/outline"
	"github.com/continuo-tui/continuo/tui/screen"
)

// pane shows one conversation or document. It has four layers: the outline (out), the folds, the visible rows (view),
// and the selected part (cur). A layer knows only the earlier layers.
type pane struct {
	row    sessions.Row
	ctx    context.Context // ends when the pane is closed
	cancel context.CancelFunc
	doc    *opened.File
	err    error
	slow   bool // opening takes so long that the page should say so

	agent *screen.Agent // facts about the sub-agent of the row, or nil

	version int      // version of the outline; grows with the file
	written []string // UUIDs of the last records; see opened.LastRecords
	lost    bool     // the file was rewritten

	out   *outline.Outline
	folds *outline.Folds
	view  *viewport
	cur   *cursor

	at     *Spot  // initial position; nil for the end or a document's start
	seeks  string // todo or next step of a document to go to
	follow bool   // F was pressed: the view follows the end

	find       finder
	marking    marking
	callSearch callSearch
	goingTo    int // generation of the lookup of a typed ID

	busy  busy
	grown bool // the file has grown since the last followDoc
}

// busy says which commands are running. Only one command of each kind runs at a time.
type busy struct {
	reading, drawing, following, counting, listing bool
}

func newPane(opts Options) pane {
	out := &outline.Outline{Document: opts.Row.Kind == sessions.KindDocument, Agent: slices.Contains(opts.Row.Agents, opts.Row.Path)}
	folds := outline.NewFolds(out)
	view := &viewport{out: out, folds: folds}
	r := pane{
		agent: opts.Agent, at: opts.At, seeks: opts.Seeks, find: finder{field: field.New(field.Words)},
		out: out, folds: folds, view: view, cur: &cursor{out: out, folds: folds, view: view},
	}
	r.setRow(opts.Row)
	return r
}

// setRow sets the row of the file, which may change.
func (r *pane) setRow(row sessions.Row) { r.row, r.view.live = row, row.Live != nil }

// Spot is a position in a conversation. It stays valid when the conversation grows or is opened again.
type Spot struct {
	message int32 // key of the message
	part    int
	row     int // row of the view on which the bar is
	folds   outline.State
}

// opened stores the document and goes to the initial position.
func (r *pane) opened(msg openedMsg, rows int) {
	r.doc, r.err, r.written = msg.doc, msg.err, msg.last
	r.out.Set(msg.refs, msg.threads)
	r.folds.Update()
	if r.row.Kind == sessions.KindSession && !r.row.Dated() { // a sub-agent's transcript isn't in the lists
		for i := range r.out.Refs {
			if at := transcript.At(r.out.Refs[i].Time); !at.IsZero() {
				if r.row.First.IsZero() {
					r.row.First = at
				}
				r.row.Last = at
			}
		}
	}
	r.view.heights = make([]int32, len(r.out.Refs))
	r.view.ahead = aheadAtOnce
	at := r.at
	r.at = nil
	if at != nil {
		r.folds.Restore(at.folds)
		if i := r.out.Index(at.message); i >= 0 {
			r.cur.bar = bar{i, at.part}
			r.cur.goal = &goal{message: i, part: at.part, row: at.row}
			r.view.show(i, 0, rows)
			return
		}
	}
	if r.out.Document { // skip the front matter
		if first := slices.IndexFunc(r.out.Refs, func(m transcript.MessageRef) bool { return m.Turn }); first > 0 {
			r.cur.bar = bar{message: first}
			r.view.show(first, 0, rows)
		}
		return
	}
	r.view.endAt(r.out.Last, rows)
	r.cur.bar = r.cur.end()
}

// spot returns the position for the next time, or nil at the end.
func (r *pane) spot() *Spot {
	if r.doc == nil || len(r.out.Refs) == 0 || r.view.win.Pin > 0 && !r.folds.Changed() {
		return nil
	}
	from, _ := r.cur.barRows()
	return &Spot{message: r.out.Key(r.cur.bar.message), part: r.cur.bar.part, row: from, folds: r.folds.State()}
}
