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

// Change plans changes to files, carries them out, and undoes them.
type Change struct {
	desk   *Desk
	lookup lookup
	doing  *doing
	left   map[string]bool // files on their way to a trash; they leave the list instead of being shown as deleted
	past   past
}

// NewChange returns the action. It uses a desk.
func NewChange(d *Desk) *Change { return &Change{desk: d, left: map[string]bool{}} }

// doing is a plan that is carried out once. If the program ends before that, it is never carried out.
type doing struct {
	plan   screen.Plan
	begun  atomic.Bool
	done   chan struct{}
	result screen.Done // result and err are valid as soon as done is closed
	err    error
	cancel context.CancelFunc
	form   *dialog.Note // form that is shown again if the change fails; nil if there is none
}

var (
	// ErrNotBegun is returned if the program ended before a confirmed change began. Nothing was written.
	ErrNotBegun = errors.New("change: the program ended before the change began")
	// ErrUnfinished is returned if a change was still running 5 s after the program had ended.
	ErrUnfinished = errors.New("change: not done yet")
)

// doneLimit is how long the program waits at its end for a running change. A change is usually quick, but a disk
// may hang.
const doneLimit = 5 * time.Second

// Keys implements Action.
func (a *Change) Keys(intent string) []screen.Binding {
	switch intent {
	case screen.Discard:
		if a.kind() == sessions.KindSession {
			return a.deleteKey()
		}
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

// backupKey returns a key that acts on the chosen backups.
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

// deleteKey returns the key that deletes the chosen sessions. It comes early in the footer while rows are marked.
func (a *Change) deleteKey() []screen.Binding {
	b := screen.Binding{
		Name: screen.Discard, Keys: []string{"d"}, Show: "d", Label: "delete", Help: "delete", Group: screen.GroupThis,
		Do: screen.Intent{Name: screen.Discard}, Off: a.whyNotBackup(), Needs: screen.NeedsChanges,
	}
	if a.desk.Marks == 0 {
		b.Rank = screen.RankSecond
	}
	if b.Off == "" && slices.ContainsFunc(a.chosen(), func(r sessions.Row) bool { return r.MayRun(a.desk.Now) }) {
		b.Off = "live"
	}
	if n := a.desk.Marks; n > 0 {
		b.More = " " + words.Count(n)
	}
	return []screen.Binding{b}
}

// kind returns the kind of the chosen rows; "" if there are none.
func (a *Change) kind() sessions.Kind {
	if rows := a.chosen(); len(rows) > 0 {
		return rows[0].Kind
	}
	return ""
}

// isBackup reports whether the subject is a backup, or at least one backup is marked.
func (a *Change) isBackup() bool { return a.kind() == sessions.KindBackup || a.isMixed() }

// isMixed reports whether the marked rows are of several kinds. In the list of sessions, this happens if only a
// backup is left of some sessions.
func (a *Change) isMixed() bool {
	rows := a.chosen()
	for i := range rows { // there may be thousands of rows
		if rows[i].Kind != rows[0].Kind {
			return true
		}
	}
	return false
}

// chosen returns the rows on which a key acts. These are the marked rows or, if none is marked, the selected row.
func (a *Change) chosen() []sessions.Row {
	switch {
	case a.desk.Marks > 0:
		return a.desk.Marked()
	case a.desk.Row != nil:
		return []sessions.Row{*a.desk.Row}
	}
	return nil
}

// whyNotBackup returns why the chosen rows can't be changed; "" if they can be changed.
func (a *Change) whyNotBackup() string {
	if why := a.Busy(); why != "" {
		return why
	}
	if row := a.desk.Row; a.desk.Marks == 0 && row != nil && row.Deleted {
		return "deleted"
	}
	if a.isMixed() {
		return "sessions and backups are marked; mark only one kind"
	}
	return ""
}

// whyNotKeep returns why none of the chosen backups can be kept; "" if one of them can be kept.
func (a *Change) whyNotKeep() string {
	if why := a.whyNotBackup(); why != "" {
		return why
	}
	if slices.ContainsFunc(a.chosen(), func(r sessions.Row) bool { return r.Pending }) {
		return ""
	}
	return "not pending"
}

// Busy returns why no files can be changed now; "" if they can be changed.
func (a *Change) Busy() string {
	if a.doing != nil {
		return "a change is in progress"
	}
	return ""
}

// Do implements Action.
func (a *Change) Do(do screen.Intent) ([]screen.Effect, bool) {
	switch do.Name {
	case screen.Discard, screen.Restore, screen.Verify, screen.Keep:
		kind := screen.ChangeKind(do.Name)
		if a.kind() == sessions.KindSession {
			kind = screen.ChangeDelete
		}
		return a.Ask(screen.Change{Kind: kind, Rows: a.chosen()}), true
	case screen.Undo: // undo the last action of the listed projects that can be undone
		return a.Ask(screen.Change{Kind: screen.ChangeUndo, Dir: a.desk.Listed}), true
	case screen.UndoList: // show the cached actions until the lookup is complete
		list := screen.Open{Dialog: dialog.NewUndoList(a.Past(), a.desk.PlanLines, a.desk.Actions != nil)}
		return append([]screen.Effect{list}, a.AskPast()...), true
	}
	return nil, false
}

// Answers of the commands.
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
	// doSlowMsg is sent when a change takes so long that a message should be shown.
	doSlowMsg struct{ of *doing }
)

// Took implements Action.
func (a *Change) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.lookup.drop()
	case slowMsg:
		if a.lookup.isOf(msg.gen) {
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

// Ask plans a change. A dialog shows the plan.
func (a *Change) Ask(ask screen.Change) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(string(ask.Kind) + ": " + why)
	}
	ctx := a.lookup.begin(a.desk.Context)
	changes, gen := a.desk.Changes, a.lookup.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		plan, err := changes.Plan(ctx, ask)
		return plannedMsg{gen: gen, plan: plan, err: err}
	}), a.lookup.slow(ctx, lookingWord(ask.Kind))}
}

// planned shows a plan.
func (a *Change) planned(msg plannedMsg) []screen.Effect {
	if msg.gen != a.lookup.gen { // the user has done something else
		return nil
	}
	a.lookup.drop()
	if msg.err != nil {
		return []screen.Effect{fail(msg.err)}
	}
	return []screen.Effect{screen.Tell{}, screen.ShowPlan{Plan: msg.plan}} // Tell clears the status
}

// CarryOut carries out a plan. form is the form that asked for the plan; nil if there is none.
func (a *Change) CarryOut(plan screen.Plan, form *dialog.Note) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(plan.Title + ": " + why)
	}
	ctx, cancel := context.WithCancel(a.desk.Context)
	d := &doing{plan: plan, done: make(chan struct{}), cancel: cancel, form: form}
	a.doing = d
	if plan.Change.Kind == screen.ChangeDiscard || plan.Change.Kind == screen.ChangeDelete {
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

// carryOut returns a command that carries out a plan. If the program has ended, the command does nothing.
func carryOut(ctx context.Context, changes Changes, d *doing) tea.Cmd {
	return func() tea.Msg {
		if !d.begun.CompareAndSwap(false, true) {
			return nil
		}
		defer close(d.done)
		d.result, d.err = changes.Do(ctx, d.plan)
		return doneMsg{of: d, done: d.result, err: d.err}
	}
}

// Leave removes files from a batch that this action has moved to a trash. Otherwise the lists would show them as
// deleted. gone has the paths of these files.
func (a *Change) Leave(b sessions.Batch) (left sessions.Batch, gone []string) {
	if len(a.left) == 0 {
		return b, nil
	}
	for i := range b.Rows { // this file exists
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

// stays is called when a plan has failed. It removes the files of the plan from left, so that the list shows those
// of them as deleted that are deleted.
func (a *Change) stays(plan *screen.Plan) {
	for i := range plan.Change.Rows {
		delete(a.left, plan.Change.Rows[i].Path)
	}
	for _, path := range plan.Leaves {
		delete(a.left, path)
	}
}

// done shows the result of a change. The watch updates the rows.
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

// lookingWord returns the status to show while a plan is made.
func lookingWord(k screen.ChangeKind) string {
	if k == screen.ChangeVerify {
		return "Verifying…"
	}
	return "Looking…"
}

// doingWord returns the status to show while a change is carried out.
func doingWord(k screen.ChangeKind) string {
	return cmp.Or(map[screen.ChangeKind]string{
		screen.ChangeDiscard: "Discarding…", screen.ChangeDelete: "Deleting…", screen.ChangeRestore: "Restoring…", screen.ChangeUndo: "Undoing…", screen.ChangeSave: "Saving…",
	}[k], "Working…")
}

// Finish is called after the program has ended. It waits for a running change and returns the result, which no
// screen has shown. The error is ErrNotBegun if the change hasn't begun. ok is false if there is no change.
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
		return d.result, d.err, true
	case <-time.After(doneLimit):
		return screen.Done{}, ErrUnfinished, true
	}
}
