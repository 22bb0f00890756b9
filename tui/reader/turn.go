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

// work is the work of a turn. The first message of the work, the lead, also shows the line about the work. While
// the turn is folded, this line is all that is shown. The other messages of the work are hidden and have no rows.
type work struct {
	turn.Stretch
	records int // number of records of all messages; if this number changes, the tally is outdated
	open    bool
}

// tally is the counted work of a turn. It also has the number of messages and records that were counted.
type tally struct {
	turn.Work
	runs        []turn.Run
	to, records int
	// Where the next count starts; it leaves out the last messages, because they can get more records.
	start counting
}

// counting is the state of a count after the first messages of a turn.
type counting struct {
	work              turn.Work
	runs              turn.Runs
	messages, records int
}

// mayChange is how many messages at the end of a turn may still get more records.
const mayChange = 8

// turned finds the turns, and the quiet messages, in the outline. The last turn of the main thread is open.
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

// reopen decides which turns are open.
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

// opensAtRest reports whether a turn is open by default. After the key Z, all turns are open. Otherwise only the
// last turn of the main thread is open.
func (r *pane) opensAtRest(w *work) bool {
	last := -1
	if i := before(r.prompts, r.last+1); i >= 0 {
		last = r.prompts[i]
	}
	return r.base != talk.Fixed || w.From > last && w.From <= r.last
}

// keepOpen keeps turns open when the conversation grows. If the view follows the end, keepOpen folds a turn as
// soon as the next turn begins.
func (r *pane) keepOpen(follows bool) {
	for n := range r.works {
		if w := &r.works[n]; w.open && !follows && r.base == talk.Fixed {
			r.folds = withFold(r.folds, foldKey{key(r.refs, w.From), talk.WorkBlock}, talk.Open)
		}
	}
}

// workOf returns the work to which a message belongs; nil if it belongs to none.
func (r *pane) workOf(i int) *work {
	if i < 0 || i >= len(r.turnOf) || r.turnOf[i] == 0 {
		return nil
	}
	return &r.works[r.turnOf[i]-1]
}

// hidden reports whether a message has no rows. A message has no rows if its turn is folded or if it is quiet.
func (r *pane) hidden(i int) bool {
	if i >= 0 && i < len(r.refs) && (r.refs[i].Quiet && !r.noisy || r.off(i)) {
		return true
	}
	w := r.workOf(i)
	return w != nil && !w.open && i != w.From || r.inRun(i)
}

// toggleQuiet shows or hides the quiet messages, such as notices of the client.
func (r *pane) toggleQuiet() {
	r.noisy = !r.noisy
	r.win.Pin = 0
	r.refolded()
}

// end returns the position of the bar at the end of the main thread.
func (r *pane) end() bar { return bar{max(r.shownBefore(r.last+1), 0), lastPart} }

// shownBefore returns the index of the last message before i that has rows; -1 if there is none.
func (r *pane) shownBefore(i int) int {
	for i--; i >= 0 && r.hidden(i); i-- {
	}
	return i
}

// shownAfter returns the index of the first message after i that has rows. If there is none, it returns the number
// of messages.
func (r *pane) shownAfter(i int) int {
	for i++; i < len(r.refs) && r.hidden(i); i++ {
	}
	return i
}

// showMessage makes a message visible. It opens the turn of the message, or shows all quiet messages.
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

// refolded updates the turns after a fold has changed. If the bar is on a hidden message, it moves to the line
// that stands for the message.
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

// headOf returns which part of its turn's work a message shows.
func (r *pane) headOf(i int) head {
	w := r.workOf(i)
	if w == nil {
		return head{
			branches: r.splitsAt(i, i+1), lists: r.lists(i) && !r.known,
			dropped: r.dropped[key(r.refs, i)], droppedOf: r.droppedOf[key(r.refs, i)], replaced: r.replaced(i), context: r.contextSizes(i),
			result: i == r.last && r.refs[i].Kind == transcript.Answer && r.isAgent(), horizon: r.horizonText(i),
		}
	}
	h := head{
		lead: i == w.From, inWork: true, openWork: w.open, calls: w.Calls, branches: r.splitsAt(i, i+1), runs: r.runs[i],
		cleared: r.known && r.refs[i].Known,
	}
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

// splitsAt returns the number of branches that split off after the messages [from, to). While a branch is shown,
// it returns 0.
func (r *pane) splitsAt(from, to int) (n int) {
	for i := from; i < to && r.shown == 0 && len(r.splits) > 0; i++ {
		n += r.splits[i]
	}
	return n
}

// tallied returns the counted work of a turn; nil if the turn isn't counted yet.
func (r *pane) tallied(w *work) *tally {
	if t := r.tallies[key(r.refs, w.From)]; t != nil && t.to == w.To && t.records == w.records {
		return t
	}
	return nil
}

// uncounted returns the first visible turn that must still be counted, because its line or its runs are visible.
// It returns nil if there is none.
func (r *pane) uncounted(rows int) *work {
	for _, s := range r.win.Visible(len(r.refs), rows, r.height) {
		if w := r.workOf(s.Item); w != nil && (s.Item == w.From || w.open) && r.tallied(w) == nil {
			return w
		}
	}
	return nil
}

// talliedMsg has the counted work of a turn. lead is the first message of the turn.
type talliedMsg struct {
	version, lead int
	tally         tally
}

// countWork returns a command that counts the work of a turn. refs are the messages of the turn.
func countWork(ctx context.Context, doc *opened.File, version int, w work, refs []transcript.MessageRef, c counting) tea.Cmd {
	return func() tea.Msg {
		msg := talliedMsg{version: version, lead: w.From, tally: tally{to: w.To, records: w.records, start: c}}
		for from := w.From + c.messages; from < w.To && ctx.Err() == nil; from += readAtOnce {
			list, err := doc.Messages(ctx, version, from, min(from+readAtOnce, w.To))
			if err != nil { // the line about the work still shows the number of calls
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

// counting returns the state from which to count the work of a turn. This is the state of the last count if it is
// still valid.
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

// counted stores the counted work of a turn. If this folds runs, the bar stays on its row of the screen.
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
