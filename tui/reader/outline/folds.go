package outline

import (
	"maps"

	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// Folds knows what is open and what is folded. A hidden message has no rows.
type Folds struct {
	Noisy bool // quiet messages, such as notices of the client, are shown

	out     *Outline
	state   State
	tallies map[int32]*Tally       // by the key of the lead
	open    []bool                 // by the index of a work
	runs    map[int][]talk.RunPart // by message of an open turn
}

// State is what a user has opened and folded. It stays valid when the file grows or is opened again.
type State struct {
	base  talk.Fold // default fold
	folds map[block]talk.Fold
}

// block identifies a block that can be opened, with the key of its message.
type block struct {
	message int32
	block   int
}

// NewFolds returns the folds of an outline in the default state.
func NewFolds(out *Outline) *Folds { return &Folds{out: out} }

// State returns what the user has opened and folded.
func (f *Folds) State() State { return f.state }

// Restore opens and folds what was open and folded earlier.
func (f *Folds) Restore(s State) {
	f.state = s
	f.Update()
}

// Changed reports whether anything differs from the folds at the start.
func (f *Folds) Changed() bool { return len(f.state.folds) > 0 || f.state.base != talk.Fixed }

// Base returns the default fold of all blocks.
func (f *Folds) Base() talk.Fold { return f.state.base }

// Of returns the folds of a message that differ from the default, by block.
func (f *Folds) Of(i int) map[int]talk.Fold {
	var folds map[int]talk.Fold
	for k, fold := range f.state.folds {
		if k.message == f.out.Key(i) {
			if folds == nil {
				folds = map[int]talk.Fold{}
			}
			folds[k.block] = fold
		}
	}
	return folds
}

// Fold returns the fold of a block.
func (f *Folds) Fold(i, of int) talk.Fold {
	if fold, ok := f.state.folds[block{f.out.Key(i), of}]; ok {
		return fold
	}
	return f.state.base
}

// Set sets the fold of a block. After the fold of a turn or a run, the caller must call Update.
func (f *Folds) Set(i, of int, to talk.Fold) {
	k := block{f.out.Key(i), of}
	f.put(k, to)
	if to == f.atRest() && f.state.base == talk.Fixed && of != talk.WorkBlock {
		delete(f.state.folds, k) // the default fold isn't stored
	}
}

// put changes a copy of the folds, because a State may still use the old map.
func (f *Folds) put(k block, to talk.Fold) {
	folds := make(map[block]talk.Fold, len(f.state.folds)+1)
	maps.Copy(folds, f.state.folds)
	folds[k] = to
	f.state.folds = folds
}

// atRest returns the default fold of a block: open in a document, folded in a conversation.
func (f *Folds) atRest() talk.Fold {
	if f.out.Document {
		return talk.Open
	}
	return talk.Shut
}

// NextAll opens all turns at the first call, all parts at the second, and folds everything at the third. In a document,
// it folds or resets all sections.
func (f *Folds) NextAll() {
	base := &f.state.base
	switch {
	case f.out.Document && !f.Changed():
		*base = talk.Shut
	case f.out.Document, *base == talk.Open:
		*base = talk.Fixed
	case *base == talk.Fixed && f.hasFolded():
		*base = talk.Shut
	default:
		*base = talk.Open
	}
	f.state.folds = nil
	f.Update()
}

func (f *Folds) hasFolded() bool {
	for _, open := range f.open {
		if !open {
			return true
		}
	}
	return false
}

// Update decides which turns and runs are open. The caller must call it after a change of the outline or of a turn's or
// run's fold.
func (f *Folds) Update() {
	f.open = make([]bool, len(f.out.works))
	for n := range f.out.works {
		w := &f.out.works[n]
		f.open[n] = f.opensAtRest(w)
		if fold, ok := f.state.folds[block{f.out.Key(w.From), talk.WorkBlock}]; ok {
			f.open[n] = fold >= talk.Open
		}
	}
	f.updateRuns()
}

// opensAtRest reports whether a turn is open by default: the last turn of the main thread or, after NextAll, every
// turn.
func (f *Folds) opensAtRest(w *Work) bool {
	last := -1
	if i := Before(f.out.Prompts, f.out.Last+1); i >= 0 {
		last = f.out.Prompts[i]
	}
	return f.state.base != talk.Fixed || w.From > last && w.From <= f.out.Last
}

// KeepOpen keeps the open turns open. The caller must call it before the outline grows.
func (f *Folds) KeepOpen() {
	for n := range f.out.works {
		if f.open[n] && f.state.base == talk.Fixed {
			f.put(block{f.out.Key(f.out.works[n].From), talk.WorkBlock}, talk.Open)
		}
	}
}

// IsOpen reports whether a turn is open.
func (f *Folds) IsOpen(w *Work) bool { return f.open[w.index] }

// Hidden reports whether a message has no rows. Its turn or run is folded, it is quiet, or another branch is shown.
func (f *Folds) Hidden(i int) bool {
	if i >= 0 && i < len(f.out.Refs) && (f.out.Refs[i].Quiet && !f.Noisy || f.out.Off(i)) {
		return true
	}
	w := f.out.Work(i)
	return w != nil && !f.IsOpen(w) && i != w.From || f.InRun(i)
}

// ShownBefore returns the index of the last message before i with rows, or -1.
func (f *Folds) ShownBefore(i int) int {
	for i--; i >= 0 && f.Hidden(i); i-- {
	}
	return i
}

// ShownAfter returns the index of the first message after i with rows, or the number of messages.
func (f *Folds) ShownAfter(i int) int {
	for i++; i < len(f.out.Refs) && f.Hidden(i); i++ {
	}
	return i
}

// End returns the index of the last message of the main thread that has rows.
func (f *Folds) End() int { return max(f.ShownBefore(f.out.Last+1), 0) }

// Tally returns the counted work of a turn, or nil.
func (f *Folds) Tally(w *Work) *turn.Work {
	if t := f.tallies[f.out.Key(w.From)]; t != nil && t.to == w.To && t.records == w.records {
		return &t.Work
	}
	return nil
}

// Counted stores the counted work of a turn. If hasRuns is true, the caller must call Update.
func (f *Folds) Counted(lead int, t *Tally) (hasRuns bool) {
	if f.tallies == nil {
		f.tallies = map[int32]*Tally{}
	}
	f.tallies[f.out.Key(lead)] = t
	return len(t.runs) > 0
}
