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
	state  *State
	lookup lookup
	doing  *doing
	// left has files that are being moved to a trash. Later their rows are removed, not marked as deleted.
	left map[string]bool
	past past
}

// NewChange returns the action. It reads the program's state from s.
func NewChange(s *State) *Change { return &Change{state: s, left: map[string]bool{}} }

// doing is a confirmed plan. It is carried out at most once.
type doing struct {
	plan   screen.Plan
	begun  atomic.Bool
	done   chan struct{}
	result screen.Done // result and err are valid once done is closed
	err    error
	cancel context.CancelFunc
	form   *dialog.Note // form to show again if the change fails, or nil
}

var (
	// ErrNotBegun means that the program ended before a confirmed change began. Nothing was written.
	ErrNotBegun = errors.New("change: the program ended before the change began")
	// ErrUnfinished means that a change was still running 5 s after the program had ended.
	ErrUnfinished = errors.New("change: not done yet")
)

// doneLimit is how long Finish waits for a running change. A disk may hang.
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

func (a *Change) backupKey(key, intent, off string) []screen.Binding {
	b := screen.Binding{
		Name: intent, Keys: []string{key}, Show: key, Label: intent, Help: intent, Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.isBackup(), Needed: "choose a backup", Off: off, Needs: screen.NeedsChanges,
	}
	if n := a.state.Marks; n > 0 {
		b.More = " " + words.Count(n)
	}
	return []screen.Binding{b}
}

// deleteKey returns the key that deletes the chosen sessions.
func (a *Change) deleteKey() []screen.Binding {
	b := screen.Binding{
		Name: screen.Discard, Keys: []string{"d"}, Show: "d", Label: "delete", Help: "delete", Group: screen.GroupThis,
		Do: screen.Intent{Name: screen.Discard}, Off: a.whyNotBackup(), Needs: screen.NeedsChanges,
	}
	if a.state.Marks == 0 {
		b.Rank = screen.RankSecond
	}
	if b.Off == "" && slices.ContainsFunc(a.chosen(), func(r sessions.Row) bool { return r.MayRun(a.state.Now) }) {
		b.Off = "live"
	}
	if n := a.state.Marks; n > 0 {
		b.More = " " + words.Count(n)
	}
	return []screen.Binding{b}
}

// kind returns the kind of the first chosen row, or "".
func (a *Change) kind() sessions.Kind {
	if rows := a.chosen(); len(rows) > 0 {
		return rows[0].Kind
	}
	return ""
}

// isBackup reports whether the first chosen row is a backup, or rows of several kinds are marked.
func (a *Change) isBackup() bool { return a.kind() == sessions.KindBackup || a.isMixed() }

// isMixed reports whether rows of several kinds are marked. A session without a transcript is listed as its backup.
func (a *Change) isMixed() bool {
	rows := a.chosen()
	for i := range rows { // there may be thousands of rows
		if rows[i].Kind != rows[0].Kind {
			return true
		}
	}
	return false
}

// chosen returns the marked rows or, without marks, the selected row.
func (a *Change) chosen() []sessions.Row {
	switch {
	case a.state.Marks > 0:
		return a.state.Marked()
	case a.state.Row != nil:
		return []sessions.Row{*a.state.Row}
	}
	return nil
}

// whyNotBackup returns the reason why the keys for backups can't change the chosen rows, or "".
func (a *Change) whyNotBackup() string {
	if why := a.Busy(); why != "" {
		return why
	}
	if row := a.state.Row; a.state.Marks == 0 && row != nil && row.Deleted {
		return "deleted"
	}
	if a.isMixed() {
		return "sessions and backups are marked; mark only one kind"
	}
	return ""
}

// whyNotKeep returns the reason why no chosen backup can be kept, or "".
func (a *Change) whyNotKeep() string {
	if why := a.whyNotBackup(); why != "" {
		return why
	}
	if slices.ContainsFunc(a.chosen(), func(r sessions.Row) bool { return r.Pending }) {
		return ""
	}
	return "not pending"
}

// Busy returns the reason why no files can be changed now, or "".
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
	case screen.Undo: // undoes the last action in the listed projects
		return a.Ask(screen.Change{Kind: screen.ChangeUndo, Dir: a.state.Listed}), true
	case screen.UndoList: // shows the cached undo list during the read
		list := screen.Open{Dialog: dialog.NewUndoList(a.Past(), a.state.PlanLines, a.state.Actions != nil)}
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
	// doSlowMsg is sent when a change takes long enough to show a message.
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
		if a.doing == msg.of && a.state.Said == "" {
			return tell(doingWord(msg.of.plan.Change.Kind))
		}
	case pastMsg:
		return a.pastLooked(msg)
	}
	return nil
}

// Ask requests the plan of a change. The plan is shown in a dialog.
func (a *Change) Ask(ask screen.Change) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(string(ask.Kind) + ": " + why)
	}
	ctx := a.lookup.begin(a.state.Context)
	changes, gen := a.state.Changes, a.lookup.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		plan, err := changes.Plan(ctx, ask)
		return plannedMsg{gen: gen, plan: plan, err: err}
	}), a.lookup.slow(ctx, lookingWord(ask.Kind))}
}

func (a *Change) planned(msg plannedMsg) []screen.Effect {
	if msg.gen != a.lookup.gen { // the lookup was cancelled
		return nil
	}
	a.lookup.drop()
	if msg.err != nil {
		return []screen.Effect{fail(msg.err)}
	}
	return []screen.Effect{screen.Tell{}, screen.ShowPlan{Plan: msg.plan}} // Tell clears the status
}

// CarryOut carries out a plan. form is the form that requested the plan, or nil.
func (a *Change) CarryOut(plan screen.Plan, form *dialog.Note) []screen.Effect {
	if why := a.Busy(); why != "" {
		return tell(plan.Title + ": " + why)
	}
	ctx, cancel := context.WithCancel(a.state.Context)
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
		screen.Cmd(carryOut(ctx, a.state.Changes, d)),
		screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return doSlowMsg{d} })),
	}
}

// carryOut returns a command that carries out a confirmed plan if the program still runs.
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

// Leave removes files from a batch if this action has moved them to a trash. The lists would mark these files as
// deleted. gone has their paths.
func (a *Change) Leave(b sessions.Batch) (left sessions.Batch, gone []string) {
	if len(a.left) == 0 {
		return b, nil
	}
	for i := range b.Rows { // these files exist
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

// stays forgets the files of a failed plan.
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
		if msg.of.form != nil && !a.state.Asking {
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

// lookingWord returns the message to show while a plan is made.
func lookingWord(k screen.ChangeKind) string {
	if k == screen.ChangeVerify {
		return "Verifying…"
	}
	return "Preparing the plan…"
}

// doingWord returns the message to show while a change is carried out.
func doingWord(k screen.ChangeKind) string {
	return cmp.Or(map[screen.ChangeKind]string{
		screen.ChangeDiscard: "Discarding…", screen.ChangeDelete: "Deleting…", screen.ChangeRestore: "Restoring…", screen.ChangeUndo: "Undoing…", screen.ChangeSave: "Saving…",
	}[k], "Working…")
}

// Finish waits for a running change after the program has ended, and returns its result. No screen has shown this
// result. The error is ErrNotBegun if the change hasn't begun. ok is false without a change.
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
