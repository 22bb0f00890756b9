package outline

import (
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// refsOf returns a message per letter: p is a prompt, a an answer, c an answer with a call, q a quiet notice, b a
// compaction boundary, s a summary.
func refsOf(letters string) []transcript.MessageRef {
	kinds := map[rune]transcript.MessageKind{
		'p': transcript.Prompt, 'a': transcript.Answer, 'c': transcript.Answer, 'q': transcript.Notice, 'b': transcript.Boundary, 's': transcript.Summary,
	}
	var refs []transcript.MessageRef
	for i, l := range letters {
		m := transcript.MessageRef{Kind: kinds[l], Records: []int32{int32(10 * i)}, Quiet: l == 'q'}
		m.Turn = m.Kind == transcript.Prompt || m.Kind == transcript.Answer
		if l == 'c' {
			m.Calls = 1
		}
		refs = append(refs, m)
	}
	return refs
}

func outlineOf(letters string) *Outline {
	o := &Outline{}
	refs := refsOf(letters)
	o.Set(refs, []transcript.Thread{mainThread(len(refs))})
	return o
}

func mainThread(n int) transcript.Thread {
	t := transcript.Thread{Kind: transcript.Main, From: -1}
	for i := range n {
		t.Messages = append(t.Messages, i)
	}
	return t
}

func shown(f *Folds) []int {
	var list []int
	for i := f.ShownAfter(-1); i < len(f.out.Refs); i = f.ShownAfter(i) {
		list = append(list, i)
	}
	return list
}

func TestOutline(t *testing.T) {
	t.Parallel()
	o := outlineOf("pccabsqpa")
	if !slices.Equal(o.Prompts, []int{0, 7}) || !slices.Equal(o.Bounds, []int{4}) || o.Quiet != 1 || o.Last != 8 || o.Total() != 6 {
		t.Errorf("%+v", o)
	}
	if o.Horizon() != 4 || !o.IsSummary(5) || o.Replaced(5) != 4 || o.Replaced(4) != 0 {
		t.Errorf("horizon %d, summary %v replaces %d", o.Horizon(), o.IsSummary(5), o.Replaced(5))
	}
	if w := o.Work(1); w == nil || w.From != 1 || w.To != 3 || o.Work(3) != nil || o.Answer(1, 7) != 3 {
		t.Errorf("work %+v, answer %d", w, o.Answer(1, 7))
	}
	if o.Index(o.Key(7)) != 7 || o.Index(5) != -1 {
		t.Error("a key doesn't lead back to its message")
	}
}

// TestBranches: messages are left out while a branch of a branch is shown.
func TestBranches(t *testing.T) {
	t.Parallel()
	refs := refsOf("papapa")
	for i, thread := range []int{0, 0, 0, 1, 1, 2} {
		refs[i].Thread = thread
	}
	o := &Outline{}
	o.Set(refs, []transcript.Thread{mainThread(3), {Kind: transcript.Branch, From: 0, Messages: []int{3, 4}}, {Kind: transcript.Branch, From: 3, Messages: []int{5}}})
	if got := o.Branches(); !slices.Equal(got, []int{1, 2}) || o.SplitsAt(0, 3) != 1 || o.Headings[3] == nil {
		t.Errorf("branches %v, %d splits", got, o.SplitsAt(0, 3))
	}
	f := NewFolds(o)
	for thread, want := range [][]int{{0, 1, 2, 3, 4, 5}, {0, 3, 4}, {0, 3, 5}} {
		o.Show(thread)
		if f.Update(); !slices.Equal(shown(f), want) {
			t.Errorf("branch %d shows %v, want %v", thread, shown(f), want)
		}
	}
	if o.SplitsAt(0, 3) != 0 {
		t.Error("splits are marked while a branch is shown")
	}
}

func TestFolds(t *testing.T) {
	t.Parallel()
	o := outlineOf("pccaqpcca")
	f := NewFolds(o)
	f.Update()
	check := func(what string, want ...int) {
		t.Helper()
		if got := shown(f); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("only the last turn is open", 0, 1, 3, 5, 6, 7, 8)
	f.Set(1, talk.WorkBlock, talk.Open)
	f.Update()
	check("the first turn is opened", 0, 1, 2, 3, 5, 6, 7, 8)
	kept := f.State()
	f.Noisy = true
	check("notices", 0, 1, 2, 3, 4, 5, 6, 7, 8)
	f.Noisy = false
	f.Set(6, talk.WorkBlock, talk.Shut)
	f.Update()
	check("the last turn is folded", 0, 1, 2, 3, 5, 6, 8)
	f.Restore(kept)
	check("restored", 0, 1, 2, 3, 5, 6, 7, 8)
	f.Restore(State{})
	for _, want := range []talk.Fold{talk.Shut, talk.Open, talk.Fixed} {
		if f.NextAll(); f.Base() != want {
			t.Errorf("NextAll sets %v, want %v", f.Base(), want)
		}
	}
	check("all are folded again", 0, 1, 3, 5, 6, 7, 8)
}

// TestKeepOpen: without KeepOpen, an open turn is folded when the next turn begins.
func TestKeepOpen(t *testing.T) {
	t.Parallel()
	for keep, want := range map[bool][]int{true: {0, 1, 2, 3, 4}, false: {0, 1, 3, 4}} {
		o := outlineOf("pcca")
		f := NewFolds(o)
		if f.Update(); keep {
			f.KeepOpen()
		}
		o.Set(refsOf("pccap"), []transcript.Thread{mainThread(5)})
		if f.Update(); !slices.Equal(shown(f), want) {
			t.Errorf("KeepOpen %v: %v, want %v", keep, shown(f), want)
		}
	}
}

// TestRuns: a folded run has one row. FoldedRun finds the run of a call.
func TestRuns(t *testing.T) {
	t.Parallel()
	o := outlineOf("pcccca")
	f := NewFolds(o)
	f.Update()
	tally := &Tally{to: 5, records: 4, runs: []turn.Run{{From: turn.Place{}, To: turn.Place{Message: 2}, Whole: true, Calls: 3}}}
	if !f.Counted(1, tally) || f.Tally(o.Work(1)) == nil {
		t.Fatal("the tally isn't stored")
	}
	if f.Update(); !slices.Equal(shown(f), []int{0, 1, 4, 5}) {
		t.Errorf("shown: %v", shown(f))
	}
	lead, line, ok := f.FoldedRun(3, 0)
	if !ok || lead != 1 || line != talk.RunBlock(0) {
		t.Errorf("the run of message 3: %d %d %v", lead, line, ok)
	}
	f.Set(lead, line, talk.Open)
	if f.Update(); !slices.Equal(shown(f), []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("opened: %v", shown(f))
	}
	if _, _, ok := f.FoldedRun(3, 0); ok {
		t.Error("an open run counts as folded")
	}
}

// TestGrowth: one message was inserted, one has changed, and one is gone.
func TestGrowth(t *testing.T) {
	t.Parallel()
	old := refsOf("papa")
	changed := old[2]
	changed.Records = []int32{20, 99}
	g := NewGrowth(old, []transcript.MessageRef{old[0], {Kind: transcript.Notice, Records: []int32{70}}, old[1], changed})
	for i, want := range []int{0, 2, 3, -1} {
		if got := g.Moved(i); got != want {
			t.Errorf("message %d moved to %d, want %d", i, got, want)
		}
	}
	if g.Near(3) != 3 || g.AtEnd() || !g.Noticed {
		t.Errorf("near %d, at the end %v, noticed %v", g.Near(3), g.AtEnd(), g.Noticed)
	}
	for i, want := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		if got := [2]bool{g.Same(i), g.SameBefore(i)}; got != want {
			t.Errorf("message %d: same, same before = %v, want %v", i, got, want)
		}
	}
}
