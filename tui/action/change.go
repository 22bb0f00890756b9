package action

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Change writes files: it plans a change, carries it out, and undoes it.
type Change struct {
	desk  *Desk
	look  look
	doing *doing
	left  map[string]bool // files that are on their way to a trash: they leave the list, no row says that they are deleted
	past  past
}

// NewChange is the action at a desk.
func NewChange(d *Desk) *Change { return &Change{desk: d, left: map[string]bool{}} }

// doing is a plan that is carried out: once, or not at all when the program ends before.
type doing struct {
	plan   screen.Plan
	begun  atomic.Bool
	done   chan struct{}
	said   screen.Done // once done is closed, with err
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

// Keys implements Action.
func (a *Change) Keys(intent string) []screen.Binding {
	switch intent {
	case screen.Discard:
		return a.backupKey("d", intent, a.whyNotBackup())
	case screen.Restore:
		return a.backupKey("R", intent, a.whyNotBackup())
	case screen.Verify:
		return a.backupKey("V", intent, a.whyNotBackup())
	case screen.Keep:
		return a.backupKey("K", intent, a.whyNotKeep())
	}
	return a.undoKeys(intent)
}

// backupKey is a key that does something with the chosen backups.
func (a *Change) backupKey(key, intent, off string) []screen.Binding {
	b := screen.Binding{
		Name: intent, Keys: []string{key}, Show: key, Label: intent, Help: intent, Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.isBackup(), Needed: "choose a backup", Off: off, Needs: screen.NeedsChanges,
	}
	if n := a.desk.Marks; n > 0 {
		b.More = " " + words.Count(n)
	}
	return []screen.Binding{b}
}

// isBackup reports whether the subject is one, or some are marked.
func (a *Change) isBackup() bool {
	return a.desk.Marks > 0 || a.desk.Row != nil && a.desk.Row.Kind == sessions.KindBackup
}

// chosen are the rows that an action on backups is about: those that are marked, else the one under the bar.
func (a *Change) chosen() []sessions.Row {
	switch {
	case a.desk.Marks > 0:
		return a.desk.Marked()
	case a.desk.Row != nil:
		return []sessions.Row{*a.desk.Row}
	}
	return nil
}

// whyNotBackup is the reason why nothing can be done with the backup.
func (a *Change) whyNotBackup() string {
	if why := a.Busy(); why != "" {
		return why
	}
	if row := a.desk.Row; a.desk.Marks == 0 && row != nil && row.Deleted {
		return "deleted"
	}
	return ""
}

// whyNotKeep is the reason why none of the chosen backups can be kept: each is already.
func (a *Change) whyNotKeep() string {
	if why := a.whyNotBackup(); why != "" {
		return why
	}
	if slices.ContainsFunc(a.chosen(), func(r sessions.Row) bool { return r.Pending }) {
		return ""
	}
	return "not pending"
}

// Busy is the reason why nothing can be changed now, "" it can.
func (a *Change) Busy() string {
	if a.doing != nil {
		return "one is being done"
	}
	return ""
}

// Do implements Action.
func (a *Change) Do(do screen.Intent) ([]screen.Effect, bool) {
	switch do.Name {
	case screen.Discard, screen.Restore, screen.Verify, screen.Keep:
		return a.Ask(screen.Change{Kind: screen.ChangeKind(do.Name), Rows: a.chosen()}), true
	case screen.Undo: // the last action that can be undone, of the projects that are listed
		return a.Ask(screen.Change{Kind: screen.ChangeUndo, Dir: a.desk.Listed}), true
	case screen.UndoList: // what is known stands there at once
		list := screen.Open{Dialog: dialog.NewPast(a.Past(), a.desk.PlanLines, a.desk.Actions != nil)}
		return append([]screen.Effect{list}, a.AskPast()...), true
	}
	return nil, false
}

// Answers to the questions of a change.
type (
	plannedMsg struct {
		gen  int
		plan screen.Plan
		err  error
	}
	doneMsg struct {
		of   *doing
		done screen.Done
		err  error
	}
	// doSlowMsg says that a change takes its time.
	doSlowMsg struct{ of *doing }
)

// Took implements Action.
func (a *Change) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.look.drop()
	case slowMsg:
		if a.look.isOf(msg.gen) {
			return tell(msg.word)
		}
	case plannedMsg:
		return a.planned(msg)
	case doneMsg:
		return a.done(msg)
	case doSlowMsg:
		if a.doing == msg.of && a.desk.Said == "" {
			return tell(doingWord(msg.of.plan.Change.Kind))
		}
	case pastMsg:
		return a.pastLooked(msg)
	}
	return nil
}

// Ask asks what a change would do. A dialog shows the answer.
func (a *Change) Ask(ask screen.Change) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(string(ask.Kind) + ": " + why)
	}
	ctx := a.look.begin(a.desk.Context)
	changes, gen := a.desk.Changes, a.look.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		plan, err := changes.Plan(ctx, ask)
		return plannedMsg{gen: gen, plan: plan, err: err}
	}), a.look.slow(ctx, lookingWord(ask.Kind))}
}

// planned shows what would be done.
func (a *Change) planned(msg plannedMsg) []screen.Effect {
	if msg.gen != a.look.gen { // the person has gone on to something else
		return nil
	}
	a.look.drop()
	if msg.err != nil {
		return []screen.Effect{fail(msg.err)}
	}
	return []screen.Effect{screen.Tell{}, screen.ShowPlan{Plan: msg.plan}} // what the wait said, or an error of before, goes
}

// CarryOut does what a plan says, as it was shown. form is where it was asked for, nil: in no form.
func (a *Change) CarryOut(plan screen.Plan, form *dialog.Note) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(plan.Title + ": " + why)
	}
	ctx, cancel := context.WithCancel(a.desk.Context)
	d := &doing{plan: plan, done: make(chan struct{}), cancel: cancel, form: form}
	a.doing = d
	if plan.Change.Kind == screen.ChangeDiscard {
		for i := range plan.Change.Rows {
			a.left[plan.Change.Rows[i].Path] = true
		}
	}
	for _, path := range plan.Leaves {
		a.left[path] = true
	}
	return []screen.Effect{
		screen.Cmd(carryOut(ctx, a.desk.Changes, d)),
		screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return doSlowMsg{d} })),
	}
}

// carryOut carries a plan out, unless the program has ended before.
func carryOut(ctx context.Context, changes Changes, d *doing) tea.Cmd {
	return func() tea.Msg {
		if !d.begun.CompareAndSwap(false, true) {
			return nil
		}
		defer close(d.done)
		d.said, d.err = changes.Do(ctx, d.plan)
		return doneMsg{of: d, done: d.said, err: d.err}
	}
}

// Leave takes the files out of a batch of changes that left by what was done here: they go from the lists without a word.
func (a *Change) Leave(b sessions.Batch) (left sessions.Batch, gone []string) {
	if len(a.left) == 0 {
		return b, nil
	}
	for i := range b.Rows { // it is there, or again
		if a.doing == nil {
			delete(a.left, b.Rows[i].Path)
		}
	}
	b.Gone = slices.DeleteFunc(slices.Clone(b.Gone), func(path string) bool {
		if !a.left[path] {
			return false
		}
		delete(a.left, path)
		gone = append(gone, path)
		return true
	})
	return b, gone
}

// stays takes back that the files of a plan go: it failed, and what becomes of them is said.
func (a *Change) stays(plan *screen.Plan) {
	for i := range plan.Change.Rows {
		delete(a.left, plan.Change.Rows[i].Path)
	}
	for _, path := range plan.Leaves {
		delete(a.left, path)
	}
}

// done says what has become of a change. The watch brings the rows.
func (a *Change) done(msg doneMsg) []screen.Effect {
	news := screen.Changed{Change: msg.of.plan.Change, Done: msg.err == nil, Whole: msg.err == nil && msg.done.But == ""}
	if a.doing != msg.of {
		return []screen.Effect{screen.Broadcast{News: screen.Changed{}}}
	}
	a.doing = nil
	msg.of.cancel()
	effects := a.AskPast()
	if msg.err != nil {
		a.stays(&msg.of.plan)
		effects = append(effects, fail(msg.err))
		if msg.of.form != nil && !a.desk.Asking {
			effects = append(effects, screen.Push{Screen: msg.of.form.Again()})
		}
	} else {
		effects = append(effects, screen.Tell{Text: joined(msg.done.Said, msg.done.But), Wrong: msg.done.But != ""})
	}
	return append(effects, screen.Broadcast{News: news})
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// lookingWord is what a look for a change says while it takes its time.
func lookingWord(k screen.ChangeKind) string {
	if k == screen.ChangeVerify {
		return "Verifying…"
	}
	return "Looking…"
}

// doingWord is what a change says while it takes its time.
func doingWord(k screen.ChangeKind) string {
	return cmp.Or(map[screen.ChangeKind]string{
		screen.ChangeDiscard: "Discarding…", screen.ChangeRestore: "Restoring…", screen.ChangeUndo: "Taking it back…", screen.ChangeSave: "Saving…",
	}[k], "Working…")
}

// Finish waits for a change that was begun, after the program has ended, and reports what became of it, which no screen has told:
// ErrNotBegun if it was not begun. ok is false if there is none.
func (a *Change) Finish() (done screen.Done, err error, ok bool) {
	d := a.doing
	if d == nil {
		return screen.Done{}, nil, false
	}
	if d.begun.CompareAndSwap(false, true) {
		return screen.Done{}, ErrNotBegun, true
	}
	d.cancel()
	select {
	case <-d.done:
		return d.said, d.err, true
	case <-time.After(doneLimit):
		return screen.Done{}, ErrUnfinished, true
	}
}
