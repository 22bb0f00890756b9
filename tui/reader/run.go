package reader

import (
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// reran finds which parts of the open turns belong to a run of calls, and which runs are open. The runs of a turn that
// has grown are those of its last tally until it is counted again.
func (r *pane) reran() {
	r.runs = map[int][]talk.RunPart{}
	for n := range r.works {
		w := &r.works[n]
		t := r.tallies[key(r.refs, w.From)]
		if !w.open || t == nil {
			continue
		}
		for k := range t.runs {
			run := &t.runs[k]
			open := r.base == talk.Open
			if f, ok := r.folds[foldKey{key(r.refs, w.From+run.From.Message), talk.RunBlock(run.From.Block)}]; ok {
				open = f >= talk.Open
			}
			for at := run.From.Message; at <= run.To.Message && w.From+at < w.To; at++ {
				if r.refs[w.From+at].Quiet { // shown by the key for notices only
					continue
				}
				p := talk.RunPart{Run: run, To: allBlocks, Ends: true, Leads: at == run.From.Message, Open: open}
				if p.Leads {
					p.From = run.From.Block
				}
				if at == run.To.Message {
					p.To, p.Ends = run.To.Block, run.Whole
				}
				r.runs[w.From+at] = append(r.runs[w.From+at], p)
			}
		}
	}
}

// allBlocks is the last block of a message in the middle of a run.
const allBlocks = 1 << 30

// inRun reports whether a message has no rows, because all of it belongs to a run that isn't open and began before.
func (r *pane) inRun(i int) bool {
	for _, p := range r.runs[i] {
		return !p.Leads && p.Ends && !p.Open
	}
	return false
}

// showPart shows a part of a message: it opens the turn of the message and the run that the part belongs to.
func (r *pane) showPart(message, block int) {
	r.showMessage(message)
	r.openRun(message, block)
}

// openRun opens the run that a block belongs to.
func (r *pane) openRun(message, block int) {
	for _, p := range r.runs[message] {
		if block < p.From || block > p.To || p.Open {
			continue
		}
		lead := message
		for lead > 0 && !r.leads(lead, p.Run) {
			lead--
		}
		r.setFold(lead, talk.RunBlock(p.Run.From.Block), talk.Open)
		return
	}
}

// leads reports whether a message has the line of a run.
func (r *pane) leads(i int, run *turn.Run) bool {
	for _, p := range r.runs[i] {
		if p.Leads && p.Run == run {
			return true
		}
	}
	return false
}

// keepShown opens the run of the selected call, or of the call to go to, when the turn is counted.
func (r *pane) keepShown() {
	if g := r.goal; g != nil && (g.found || g.ofBlock) {
		r.showPart(g.message, g.block)
		return
	}
	if part := r.part(r.bar); r.win.Pin == 0 && part.Block >= 0 {
		r.showPart(r.bar.message, part.Block)
	}
}
