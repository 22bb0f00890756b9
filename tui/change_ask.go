package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// changing is what is known of the writing actions: of the one that is carried out, and of those that were.
type changing struct {
	doing *doing
	left  map[string]bool // files that are on their way to a trash: they leave the list, no row says that they are deleted

	past    []PastAction // newest first
	pastErr error
	known   bool // past was answered once
	asking  bool // for past: one ask is on its way at a time
	again   bool // something was done since it began
}

// doing is a plan that is carried out: once, or not at all when the program ends before.
type doing struct {
	plan   Plan
	begun  atomic.Bool
	done   chan struct{}
	said   Done // once done is closed, with err
	err    error
	cancel context.CancelFunc
	form   *dialog.Note // that it was asked in, and that comes back when it fails; nil none
}

var (
	// ErrNotBegun says of a change that was agreed to that the program has ended before it began: nothing was written.
	ErrNotBegun = errors.New("change: the program ended before it began")
	// ErrUnfinished says of a change that it had not come to its end 5 s after the program had.
	ErrUnfinished = errors.New("change: not done yet")
)

// doneLimit is how long the end of the program waits for what was begun: it is quick, and a disk may not answer.
const doneLimit = 5 * time.Second

// change asks what a change of some rows would do. The dialog shows the answer.
func (m *model) change(ask Change) tea.Cmd {
	if why := m.whyNotChange(); why != "" {
		m.status.say(string(ask.Kind) + ": " + why)
		return nil
	}
	ctx := m.begin()
	return tea.Batch(planChange(ctx, m.Changes, ask, m.resumeGen), waitChange(ctx, m.resumeGen, lookingWord(ask.Kind)))
}

// whyNotChange is the reason why nothing can be changed now.
func (m *model) whyNotChange() string {
	if m.changes.doing != nil {
		return "one is being done"
	}
	return ""
}

// stillPlanning says so when the look takes its time.
func (m *model) stillPlanning(msg changeSlowMsg) {
	if m.looking != nil && msg.gen == m.resumeGen {
		m.status.say(msg.word)
	}
}

// changePlanned shows what would be done.
func (m *model) changePlanned(msg plannedMsg) tea.Cmd {
	if msg.gen != m.resumeGen { // the person has gone on to something else
		return nil
	}
	m.drop()
	m.status = status{} // of the wait, or an error of before
	if msg.err != nil {
		m.fail("", msg.err)
		return nil
	}
	front := *m.front()
	if p, ok := front.screen.(screen.Planner); ok {
		if effects, done := p.Planned(msg.plan); done {
			return m.carry(front.id, effects)
		}
	}
	return m.openPlan(msg.plan)
}

// carryOut does what was shown.
func (m *model) carryOut(plan Plan) tea.Cmd {
	form := m.note()
	closed := m.dropDialogs()
	if why := m.whyNotChange(); why != "" {
		m.status.say(plan.Title + ": " + why)
		return closed
	}
	ctx, cancel := context.WithCancel(m.ctx)
	d := &doing{plan: plan, done: make(chan struct{}), cancel: cancel, form: form}
	m.changes.doing = d
	if plan.Change.Kind == ChangeDiscard {
		for i := range plan.Change.Rows {
			m.leaves(plan.Change.Rows[i].Path)
		}
	}
	for _, path := range plan.Leaves {
		m.leaves(path)
	}
	return tea.Batch(closed, doChange(ctx, m.Changes, d), waitDone(ctx, d))
}

// leaves marks a file that goes to the trash by what is done here.
func (m *model) leaves(path string) {
	if m.changes.left == nil {
		m.changes.left = map[string]bool{}
	}
	m.changes.left[path] = true
}

// stays takes back that the files of a plan go: it failed, and what becomes of them is said.
func (m *model) stays(plan *Plan) {
	for i := range plan.Change.Rows {
		delete(m.changes.left, plan.Change.Rows[i].Path)
	}
	for _, path := range plan.Leaves {
		delete(m.changes.left, path)
	}
}

// takeLeft takes the rows out of a batch of changes that left by what was done here: they go from the list.
func (m *model) takeLeft(b sessions.Batch) sessions.Batch {
	if len(m.changes.left) == 0 {
		return b
	}
	for i := range b.Rows { // it is there, or again
		if m.changes.doing == nil {
			delete(m.changes.left, b.Rows[i].Path)
		}
	}
	b.Gone = slices.DeleteFunc(slices.Clone(b.Gone), func(path string) bool {
		if !m.changes.left[path] {
			return false
		}
		delete(m.changes.left, path)
		for i := range m.lists {
			delete(m.lists[i].held, path)
		}
		return true
	})
	return b
}

// stillDoing says so when a change takes its time.
func (m *model) stillDoing(msg doSlowMsg) {
	if m.changes.doing == msg.of && m.status.text == "" {
		m.status.say(doingWord(msg.of.plan.Change.Kind))
	}
}

// changeDone says what has become of a change. The watch brings the rows.
func (m *model) changeDone(msg doneMsg) tea.Cmd {
	if m.changes.doing != msg.of {
		return nil
	}
	m.changes.doing = nil
	msg.of.cancel()
	asked := m.askPast()
	change := &msg.of.plan.Change
	if msg.err != nil {
		m.stays(&msg.of.plan)
		m.fail("", msg.err)
		if msg.of.form != nil && !m.hasDialog() {
			return tea.Batch(asked, m.push(msg.of.form.Again()))
		}
		return asked
	}
	m.unmark(change.Rows)
	m.status = status{
		text: transcript.CleanLine(joined(msg.done.Said, msg.done.But)),
		bad:  msg.done.But != "",
	}
	read := m.reader != nil && slices.ContainsFunc(change.Rows, func(r sessions.Row) bool { return r.Path == m.reader.row.Path })
	if read && change.Kind == ChangeDiscard && msg.done.But == "" { // it is not there any more
		return tea.Batch(asked, m.leaveReader())
	}
	return asked
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// askPast asks what was done, and can be taken back; while an answer is on its way, once more after it.
func (m *model) askPast() tea.Cmd {
	c := &m.changes
	if m.Changes == nil {
		return nil
	}
	if c.asking {
		c.again = true
		return nil
	}
	c.asking, c.again = true, false
	return lookPast(m.ctx, m.Changes)
}

func (m *model) pastLooked(msg pastMsg) tea.Cmd {
	c := &m.changes
	c.asking = false
	if c.known, c.pastErr = true, msg.err; msg.err == nil {
		c.past = msg.past
	}
	told := m.tell(m.past())
	if c.again {
		return tea.Batch(told, m.askPast())
	}
	return told
}

// undo takes the last action back that can be, of the projects that are listed.
func (m *model) undo() tea.Cmd {
	ask := Change{Kind: ChangeUndo}
	if !m.scope.wide() {
		ask.Dir = m.scope.project
	}
	return m.change(ask)
}

// whyNotUndo is the reason why nothing can be taken back.
func (m *model) whyNotUndo() string {
	c := &m.changes
	if why := m.whyNotChange(); why != "" {
		return why
	}
	can, step, elsewhere := m.canUndo()
	switch {
	case !c.known || c.pastErr != nil || can:
		return ""
	case elsewhere:
		return "nothing to undo in this project: " + cmp.Or(m.keyOf("undo-list"), "the list") + " lists the others"
	case step:
		return "only a step back is left: " + cmp.Or(m.keyOf("undo-list"), "the list") + " lists it"
	}
	return "nothing to undo"
}

// lookingWord is what a look for a change says while it takes its time.
func lookingWord(k ChangeKind) string {
	if k == ChangeVerify {
		return "Verifying…"
	}
	return "Looking…"
}

// doingWord is what a change says while it takes its time.
func doingWord(k ChangeKind) string {
	return cmp.Or(map[ChangeKind]string{
		ChangeDiscard: "Discarding…", ChangeRestore: "Restoring…", ChangeUndo: "Taking it back…", ChangeSave: "Saving…",
	}[k], "Working…")
}

// finish waits for a change that was begun, after the program has ended; one that was not is none. What became of it
// no screen has told.
func (m *model) finish() {
	d := m.changes.doing
	if d == nil {
		return
	}
	done, err := Done{}, ErrNotBegun
	if !d.begun.CompareAndSwap(false, true) {
		d.cancel()
		select {
		case <-d.done:
			done, err = d.said, d.err
		case <-time.After(doneLimit):
			err = ErrUnfinished
		}
	}
	if m.opts.Ended != nil {
		m.opts.Ended(done, err)
	}
}
