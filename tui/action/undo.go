package action

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// past caches the last actions.
type past struct {
	actions []screen.PastAction // newest first
	err     error
	known   bool // an answer has arrived
	asking  bool // a lookup is running
	again   bool // an action was carried out during the lookup, so it is repeated
}

// pastMsg has the last actions.
type pastMsg struct {
	past []screen.PastAction
	err  error
}

// undoKeys returns the keys of an intent for undo, and decides which of them the footer shows.
func (a *Change) undoKeys(intent string) []screen.Binding {
	can, only := a.canUndoOrOnlyList()
	elsewhere := !a.isBackup() && !a.state.OnBackups // on backups, the footer also has the keys for backups
	late := screen.RankFirst
	if elsewhere {
		late = screen.RankSecond
	}
	list := screen.Binding{Pair: []string{"undo-list"}, Show: "U", Label: "undo list", Needs: screen.NeedsChanges}
	switch intent {
	case screen.Undo:
		return []screen.Binding{{
			Name: "undo", Keys: []string{"u"}, Show: "u", Label: "undo", Help: "undo", Group: screen.GroupEverywhere, Do: screen.Intent{Name: intent},
			Off: a.whyNotUndo(), Quiet: elsewhere || only, Needs: screen.NeedsChanges,
		}}
	case screen.UndoList:
		return []screen.Binding{{
			Name: "undo-list", Keys: []string{"U"}, Show: "U", Label: "undo list", Help: "undoable actions", Group: screen.GroupEverywhere, Do: screen.Intent{Name: intent},
			Quiet: only || elsewhere && can, Rank: late, Needs: screen.NeedsChanges,
		}}
	case screen.LeftToUndo:
		list.Gone = !only || !elsewhere
		return []screen.Binding{{Pair: []string{"undo", "undo-list"}, Show: "u U", Label: "undo, list", Gone: !can || !elsewhere, Needs: screen.NeedsChanges}, list}
	case screen.StepBack:
		list.Gone = !only || !a.state.OnBackups
		return []screen.Binding{list}
	}
	return nil
}

// canUndoOrOnlyList returns whether the key u works, and whether only the undo list (U) works.
func (a *Change) canUndoOrOnlyList() (can, only bool) {
	can, step, elsewhere := a.undoable()
	return can, (step || elsewhere) && !can
}

// CanUndo reports whether an action in the listed projects can be undone.
func (a *Change) CanUndo() bool {
	can, _, _ := a.undoable()
	return can
}

// undoable reports what can be undone: an action in the listed projects (can), an earlier undo (step), or an action
// elsewhere. The key u undoes only the first kind.
func (a *Change) undoable() (can, step, elsewhere bool) {
	for i := range a.past.actions {
		switch p := &a.past.actions[i]; {
		case p.Off || p.Back:
		case p.Step:
			step = true
		case p.Elsewhere && a.state.Listed != "":
			elsewhere = true
		default:
			can = true
		}
	}
	return can, step, elsewhere
}

// whyNotUndo returns the reason why the key u can't be used, or "".
func (a *Change) whyNotUndo() string {
	if why := a.Busy(); why != "" {
		return why
	}
	can, step, elsewhere := a.undoable()
	switch {
	case !a.past.known || a.past.err != nil || can:
		return ""
	case elsewhere:
		return "nothing to undo in this project: " + a.state.key("undo-list", "U") + " lists actions in other projects"
	case step:
		return "only an undo can be undone: " + a.state.key("undo-list", "U") + " lists it"
	}
	return "nothing to undo"
}

// Past returns the undo list as it was last read.
func (a *Change) Past() screen.LastActions {
	return screen.LastActions{Actions: a.past.actions, Known: a.past.known, Err: a.past.err}
}

// AskPast reads the undo list. During a read, it plans a second read.
func (a *Change) AskPast() []screen.Effect {
	changes := a.state.Changes
	if changes == nil {
		return nil
	}
	if a.past.asking {
		a.past.again = true
		return nil
	}
	a.past.asking, a.past.again = true, false
	ctx := a.state.Context
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		past, err := changes.Past(ctx)
		return pastMsg{past: past, err: err}
	})}
}

func (a *Change) pastLooked(msg pastMsg) []screen.Effect {
	p := &a.past
	p.asking = false
	if p.known, p.err = true, msg.err; msg.err == nil {
		p.actions = msg.past
	}
	effects := []screen.Effect{screen.Broadcast{News: a.Past()}}
	if p.again {
		return append(effects, a.AskPast()...)
	}
	return effects
}
