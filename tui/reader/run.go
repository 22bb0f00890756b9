package reader

import (
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// reran finds the runs of calls in the open turns, and the open ones among these runs. If a turn has grown, its
// runs are those of the last tally until the turn is counted again.
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
				if r.refs[w.From+at].Quiet { // only the key for notices shows this message
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

// allBlocks stands for the last block of a message that lies in the middle of a run.
const allBlocks = 1 << 30

// inRun reports whether a message has no rows because the whole message belongs to a folded run that began in an
// earlier message.
func (r *pane) inRun(i int) bool {
	for _, p := range r.runs[i] {
		return !p.Leads && p.Ends && !p.Open
	}
	return false
}

// showPart makes a part visible. It opens the turn of the message, and the run that the part belongs to.
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

// leads reports whether the line of a run is drawn above a message.
func (r *pane) leads(i int, run *turn.Run) bool {
	for _, p := range r.runs[i] {
		if p.Leads && p.Run == run {
			return true
		}
	}
	return false
}

// keepShown is called when a turn is counted. If there is a goal, it opens the run of the goal. Otherwise it opens
// the run of the selected call.
func (r *pane) keepShown() {
	if g := r.goal; g != nil && (g.found || g.ofBlock) {
		r.showPart(g.message, g.block)
		return
	}
	if part := r.part(r.bar); r.win.Pin == 0 && part.Block >= 0 {
		r.showPart(r.bar.message, part.Block)
	}
}
