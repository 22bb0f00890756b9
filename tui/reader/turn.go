package reader

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// work is the work of a turn. Its first message, the lead, also shows the line about the work. While the turn is folded,
// only that line is shown: the other messages are hidden and have no rows.
type work struct {
	turn.Stretch
	records int // number of records of its messages; if it changes, the tally is outdated
	open    bool
}

// tally is the counted work of a turn, with the messages and records that were counted.
type tally struct {
	turn.Work
	runs        []turn.Run
	to, records int
	start       counting // for the next count, without the last messages: they can get more records
}

// counting is the state of a count after the first messages of a turn.
type counting struct {
	work              turn.Work
	runs              turn.Runs
	messages, records int
}

// mayChange is the number of messages at the end of a turn that can get more records.
const mayChange = 8

// turned finds the turns and the quiet messages of the outline. The last turn of the main thread is open.
func (r *pane) turned() {
	r.works, r.turnOf, r.quiet = nil, make([]int32, len(r.refs)), 0
	for i := range r.refs {
		if r.refs[i].Quiet {
			r.quiet++
		}
	}
	if r.row.Kind == sessions.KindDocument {
		return
	}
	for n, s := range turn.Stretches(r.refs) {
		w := work{Stretch: s}
		for i := s.From; i < s.To; i++ {
			r.turnOf[i] = int32(n) + 1 //nolint:gosec // fewer turns than messages
			w.records += len(r.refs[i].Records)
		}
		r.works = append(r.works, w)
	}
	r.reopen()
}

// reopen sets which turns are open.
func (r *pane) reopen() {
	for n := range r.works {
		w := &r.works[n]
		w.open = r.opensAtRest(w)
		if f, ok := r.folds[foldKey{key(r.refs, w.From), talk.WorkBlock}]; ok {
			w.open = f >= talk.Open
		}
	}
	r.reran()
}

// opensAtRest reports whether a turn is open unless the user folded it: all turns after Z, else the last turn of the
// main thread.
func (r *pane) opensAtRest(w *work) bool {
	last := -1
	if i := before(r.prompts, r.last+1); i >= 0 {
		last = r.prompts[i]
	}
	return r.base != talk.Fixed || w.From > last && w.From <= r.last
}

// keepOpen keeps the open turns open when the conversation grows. A view that follows the end folds them instead, as
// soon as another turn begins.
func (r *pane) keepOpen(follows bool) {
	for n := range r.works {
		if w := &r.works[n]; w.open && !follows && r.base == talk.Fixed {
			r.folds = withFold(r.folds, foldKey{key(r.refs, w.From), talk.WorkBlock}, talk.Open)
		}
	}
}

// workOf returns the work that contains a message, nil if there is none.
func (r *pane) workOf(i int) *work {
	if i < 0 || i >= len(r.turnOf) || r.turnOf[i] == 0 {
		return nil
	}
	return &r.works[r.turnOf[i]-1]
}

// hidden reports whether a message has no rows, because its turn is folded or it is quiet.
func (r *pane) hidden(i int) bool {
	if i >= 0 && i < len(r.refs) && (r.refs[i].Quiet && !r.noisy || r.off(i)) {
		return true
	}
	w := r.workOf(i)
	return w != nil && !w.open && i != w.From || r.inRun(i)
}

// toggleQuiet shows or hides the quiet messages.
func (r *pane) toggleQuiet() {
	r.noisy = !r.noisy
	r.win.Pin = 0
	r.refolded()
}

// end returns the bar at the end of the main thread.
func (r *pane) end() bar { return bar{max(r.shownBefore(r.last+1), 0), lastPart} }

// shownBefore returns the last message before i that has rows, -1 if there is none.
func (r *pane) shownBefore(i int) int {
	for i--; i >= 0 && r.hidden(i); i-- {
	}
	return i
}

// shownAfter returns the first message after i that has rows, or the number of messages.
func (r *pane) shownAfter(i int) int {
	for i++; i < len(r.refs) && r.hidden(i); i++ {
	}
	return i
}

// showMessage opens the turn of a message, or shows the quiet ones.
func (r *pane) showMessage(i int) {
	if r.off(i) {
		r.shown = 0
		r.outlined(r.refs, r.threads)
		r.refolded()
	}
	if r.refs[i].Quiet && !r.noisy {
		r.toggleQuiet()
	}
	if w := r.workOf(i); w != nil && !w.open {
		r.setFold(w.From, talk.WorkBlock, talk.Open)
	}
	if r.inRun(i) {
		r.openRun(i, 0)
	}
}

// refolded updates the turns after a fold has changed. A bar on a hidden message moves to the line about its work or run.
func (r *pane) refolded() {
	r.reopen()
	if w := r.workOf(r.bar.message); w != nil && !w.open && r.hidden(r.bar.message) {
		r.bar = bar{message: w.From}
	}
	if r.hidden(r.bar.message) {
		r.bar = bar{max(r.shownBefore(r.bar.message), 0), lastPart}
	}
	for i, e := range r.cache.messages {
		e.stale = e.stale || !e.same(r.headOf(i)) || r.endBefore(i, e.after) != e.after
	}
}

// headOf returns the part of its turn's work that a message shows.
func (r *pane) headOf(i int) head {
	w := r.workOf(i)
	if w == nil {
		return head{
			branches: r.splitsAt(i, i+1), lists: r.lists(i), dropped: r.dropped[key(r.refs, i)],
			result: i == r.last && r.refs[i].Kind == transcript.Answer && r.isAgent(),
		}
	}
	h := head{lead: i == w.From, inWork: true, openWork: w.open, calls: w.Calls, branches: r.splitsAt(i, i+1), runs: r.runs[i]}
	for k := i + 1; w.open && k < w.To && r.inRun(k); k++ {
		h.branches += r.splitsAt(k, k+1)
	}
	if h.lead && !w.open {
		h.branches = r.splitsAt(w.From, w.To)
	}
	if t := r.tallied(w); t != nil && h.lead {
		h.work = &t.Work
	}
	return h
}

// splitsAt returns the number of branches that split off after the messages [from, to), 0 while a branch is shown.
func (r *pane) splitsAt(from, to int) (n int) {
	for i := from; i < to && r.shown == 0 && len(r.splits) > 0; i++ {
		n += r.splits[i]
	}
	return n
}

// tallied returns the counted work of a turn, nil if it isn't counted yet.
func (r *pane) tallied(w *work) *tally {
	if t := r.tallies[key(r.refs, w.From)]; t != nil && t.to == w.To && t.records == w.records {
		return t
	}
	return nil
}

// uncounted returns the first visible turn whose line or runs need its work counted, nil if there is none.
func (r *pane) uncounted(rows int) *work {
	for _, s := range r.win.Visible(len(r.refs), rows, r.height) {
		if w := r.workOf(s.Item); w != nil && (s.Item == w.From || w.open) && r.tallied(w) == nil {
			return w
		}
	}
	return nil
}

// talliedMsg has the work of the turn that begins at a message.
type talliedMsg struct {
	version, lead int
	tally         tally
}

// countWork returns a command that counts the work of a turn, which has these messages.
func countWork(ctx context.Context, doc *opened.File, version int, w work, refs []transcript.MessageRef, c counting) tea.Cmd {
	return func() tea.Msg {
		msg := talliedMsg{version: version, lead: w.From, tally: tally{to: w.To, records: w.records, start: c}}
		for from := w.From + c.messages; from < w.To && ctx.Err() == nil; from += readAtOnce {
			list, err := doc.Messages(ctx, version, from, min(from+readAtOnce, w.To))
			if err != nil { // the line keeps the number of calls
				c, msg.tally.start = counting{}, counting{}
				break
			}
			for i := range list {
				ref := &refs[c.messages]
				c.work.Add(&list[i])
				c.runs.Add(&list[i], ref.Quiet)
				c.messages, c.records = c.messages+1, c.records+len(ref.Records)
				if c.messages == len(refs)-mayChange {
					msg.tally.start = c
				}
			}
		}
		msg.tally.Work, msg.tally.runs = c.work, c.runs.List()
		return msg
	}
}

// counting returns from where to count the work of a turn: the last count, if it is still valid.
func (r *pane) counting(w *work) counting {
	t := r.tallies[key(r.refs, w.From)]
	if t == nil || w.From+t.start.messages > w.To {
		return counting{}
	}
	records := 0
	for i := range t.start.messages {
		records += len(r.refs[w.From+i].Records)
	}
	if records != t.start.records {
		return counting{}
	}
	return t.start
}

// counted stores the work of a turn. The bar stays on its row of the screen when runs are folded.
func (r *pane) counted(msg talliedMsg, rows int) {
	r.countingNow = false
	if msg.version != r.version || msg.lead >= len(r.refs) {
		return
	}
	if r.tallies == nil {
		r.tallies = map[int32]*tally{}
	}
	r.tallies[key(r.refs, msg.lead)] = &msg.tally
	if e := r.cache.messages[msg.lead]; e != nil {
		e.stale = true
	}
	if len(msg.tally.runs) == 0 {
		return
	}
	at, _ := r.barRows()
	r.reran()
	r.keepShown()
	r.refolded()
	r.win.Fit(len(r.refs), rows, r.height)
	if now, _ := r.barRows(); r.win.Pin == 0 && at >= 0 && at < rows && now != at {
		r.win.Off += now - at
		r.win.Fit(len(r.refs), rows, r.height)
	}
}
