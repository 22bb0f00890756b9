package reader

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader/outline"
)

// headOf returns what a message shows besides its own blocks.
func (v *viewport) headOf(i int) head {
	w, live := v.out.Work(i), v.live && i == v.out.Last
	if w == nil {
		return head{
			live:     live,
			branches: v.out.SplitsAt(i, i+1), lists: v.out.IsSummary(i) && !v.known,
			dropped: v.summaries.dropped[v.out.Key(i)], droppedOf: v.summaries.of[v.out.Key(i)], replaced: v.out.Replaced(i), context: v.contextSizes(i),
			result: i == v.out.Last && v.out.Refs[i].Kind == transcript.Answer && v.out.IsAgent(), horizon: v.horizonText(i),
		}
	}
	h := head{
		lead: i == w.From, inWork: true, openWork: v.folds.IsOpen(w), calls: w.Calls, branches: v.out.SplitsAt(i, i+1), runs: v.folds.Runs(i),
		cleared: v.known && v.out.Refs[i].Known, live: live,
	}
	for k := i + 1; v.folds.IsOpen(w) && k < w.To && v.folds.InRun(k); k++ {
		h.branches += v.out.SplitsAt(k, k+1)
	}
	if h.lead && !v.folds.IsOpen(w) {
		h.branches = v.out.SplitsAt(w.From, w.To)
	}
	if t := v.folds.Tally(w); t != nil && h.lead {
		h.work = t
	}
	return h
}

// uncounted returns the first visible turn that must be counted, or nil.
func (v *viewport) uncounted(rows int) *outline.Work {
	for _, s := range v.visible(rows) {
		if w := v.out.Work(s.Item); w != nil && (s.Item == w.From || v.folds.IsOpen(w)) && v.folds.Tally(w) == nil {
			return w
		}
	}
	return nil
}

// talliedMsg has the counted work of the turn that starts with the message lead.
type talliedMsg struct {
	version, lead int
	tally         outline.Tally
}

// countWork returns a command that counts the work of a turn.
func countWork(ctx context.Context, doc *opened.File, version int, c outline.Counter) tea.Cmd {
	return func() tea.Msg {
		from, end := c.Left()
		for ; from < end && ctx.Err() == nil; from += readAtOnce {
			list, err := doc.Messages(ctx, version, from, min(from+readAtOnce, end))
			if err != nil { // the line still shows the number of calls
				c.Reset()
				break
			}
			for i := range list {
				c.Add(&list[i])
			}
		}
		return talliedMsg{version: version, lead: c.Lead(), tally: c.Tally()}
	}
}

// counted stores the counted work of a turn. The bar stays on its row of the screen.
func (r *pane) counted(msg talliedMsg, rows int) {
	r.busy.counting = false
	if msg.version != r.version || msg.lead >= len(r.out.Refs) {
		return
	}
	hasRuns := r.folds.Counted(msg.lead, &msg.tally)
	if e := r.view.cache.messages[msg.lead]; e != nil {
		e.stale = true
	}
	if !hasRuns {
		return
	}
	at, _ := r.cur.barRows()
	r.folds.Update()
	r.cur.keepShown()
	r.cur.refolded()
	r.view.fit(rows)
	if now, _ := r.cur.barRows(); r.view.win.Pin == 0 && at >= 0 && at < rows && now != at {
		r.view.win.Off += now - at
		r.view.fit(rows)
	}
}
