package action

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Recover opens the recovery of a project: a text from its ledger, at one of three levels.
type Recover struct {
	state  *State
	lookup lookup
}

// NewRecover returns the action. It reads the program's state from s.
func NewRecover(s *State) *Recover { return &Recover{state: s} }

// Keys implements Action. It returns one line for the footer, and the separate keys.
func (a *Recover) Keys(intent string) []screen.Binding {
	if intent != screen.Recover {
		return nil
	}
	off := ""
	if a.state.Dir == "" {
		off = "no project folder"
	}
	keys := []screen.Binding{{
		Pair: []string{"recover-1", "recover-2", "recover-3"}, Show: "1 2 3", Label: "recover", Gone: a.state.Dir == "", Needs: screen.NeedsLedgers,
	}}
	for i, help := range []string{"recover where I was", "recover this topic", "recover everything"} {
		key := string(rune('1' + i))
		keys = append(keys, screen.Binding{
			Name: "recover-" + key, Keys: []string{key}, Show: key, Help: help, Group: screen.GroupThis, Do: screen.Intent{Name: intent, N: i + 1},
			Off: off, Needs: screen.NeedsLedgers,
		})
	}
	return keys
}

// Do implements Action. It opens the recovery of the current project.
func (a *Recover) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Recover {
		return nil, false
	}
	level := recovery.Level(do.N)
	if a.state.Ledgers == nil || level < recovery.Where || level > recovery.All {
		return nil, true
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewRecover(dialog.RecoverOptions{
		Context: a.state.Context, Recalls: a.state.Ledgers, Dir: a.state.Dir, Level: level, CanStage: a.state.Changes != nil,
	})}}, true
}

// takenMsg is sent when a recovery was copied, or when a session can start with it.
type takenMsg struct {
	gen   int // generation of the lookup for a new session, or 0
	how   screen.Taking
	taken Taken
	err   error
}

// Take copies a recovery, or starts a session with it. Take writes nothing to the project.
func (a *Recover) Take(e screen.Take) []screen.Effect {
	ctx, ledgers, gen := a.state.Context, a.state.Ledgers, 0
	if e.How.Starts() { // only a start can be cancelled; copying is quick
		ctx = a.lookup.begin(ctx)
		gen = a.lookup.gen
	}
	effects := []screen.Effect{screen.Cmd(func() tea.Msg {
		taken, err := ledgers.Take(ctx, e.Dir, e.Result, e.How)
		return takenMsg{gen: gen, how: e.How, taken: taken, err: err}
	})}
	if e.How.Starts() {
		effects = append(effects, a.lookup.slow(ctx, checking))
	}
	return effects
}

// Took implements Action.
func (a *Recover) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.lookup.drop()
	case slowMsg:
		return a.lookup.stillLooking(a.state, msg)
	case takenMsg:
		return a.taken(msg)
	}
	return nil
}

// taken shows the result. A new session closes the dialog.
func (a *Recover) taken(msg takenMsg) []screen.Effect {
	late := msg.how.Starts() && msg.gen != a.lookup.gen
	if msg.how.Starts() && !late {
		a.lookup.drop()
	}
	t := msg.taken
	switch {
	case late && (msg.err != nil || t.Run != nil): // the lookup was cancelled
		return nil
	case msg.err != nil:
		return []screen.Effect{fail(msg.err)}
	case t.Run != nil:
		return []screen.Effect{screen.CloseDialogs{}, screen.Tell{}, screen.Run{Program: t.Run, Said: t.Said}}
	}
	var effects []screen.Effect
	if msg.how.Starts() && !late {
		effects = append(effects, screen.CloseDialogs{})
	}
	effects = append(effects, screen.Tell{Text: t.Said})
	switch {
	case t.Send != "":
		return append(effects, screen.Send{Text: t.Send})
	case msg.how.Starts():
		return append(effects, screen.LookAround{})
	case msg.how == screen.TakeFile:
		return append(effects, screen.AskPast{}) // AskPast, because the change can be undone
	}
	return effects
}
