package outline

import (
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// updateRuns finds the runs of calls in the open turns. A grown turn keeps the runs of its last tally.
func (f *Folds) updateRuns() {
	f.runs = map[int][]talk.RunPart{}
	for n := range f.out.works {
		w := &f.out.works[n]
		t := f.tallies[f.out.Key(w.From)]
		if !f.open[n] || t == nil {
			continue
		}
		for k := range t.runs {
			f.addRun(w, &t.runs[k])
		}
	}
}

func (f *Folds) addRun(w *Work, run *turn.Run) {
	open := f.state.base == talk.Open
	if fold, ok := f.state.folds[block{f.out.Key(w.From + run.From.Message), talk.RunBlock(run.From.Block)}]; ok {
		open = fold >= talk.Open
	}
	for at := run.From.Message; at <= run.To.Message && w.From+at < w.To; at++ {
		if f.out.Refs[w.From+at].Quiet { // only the key for notices shows this message
			continue
		}
		p := talk.RunPart{Run: run, To: allBlocks, Ends: true, Leads: at == run.From.Message, Open: open}
		if p.Leads {
			p.From = run.From.Block
		}
		if at == run.To.Message {
			p.To, p.Ends = run.To.Block, run.Whole
		}
		f.runs[w.From+at] = append(f.runs[w.From+at], p)
	}
}

// allBlocks stands for the last block of a message that lies in the middle of a run.
const allBlocks = 1 << 30

// Runs returns the parts of a message that belong to runs.
func (f *Folds) Runs(i int) []talk.RunPart { return f.runs[i] }

// InRun reports whether a message has no rows because it belongs to a folded run of an earlier message.
func (f *Folds) InRun(i int) bool {
	for _, p := range f.runs[i] {
		return !p.Leads && p.Ends && !p.Open
	}
	return false
}

// FoldedRun returns the message and the block of the line of a block's folded run. Without a folded run, it returns
// false.
func (f *Folds) FoldedRun(message, of int) (lead, line int, ok bool) {
	for _, p := range f.runs[message] {
		if of < p.From || of > p.To || p.Open {
			continue
		}
		lead = message
		for lead > 0 && !f.leads(lead, p.Run) {
			lead--
		}
		return lead, talk.RunBlock(p.Run.From.Block), true
	}
	return 0, 0, false
}

// leads reports whether the line of a run is drawn above a message.
func (f *Folds) leads(i int, run *turn.Run) bool {
	for _, p := range f.runs[i] {
		if p.Leads && p.Run == run {
			return true
		}
	}
	return false
}
