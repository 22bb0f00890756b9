package action

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Facts shows the figures of a session or backup, such as its files, commands and tokens.
type Facts struct{ state *State }

// NewFacts returns the action. It reads the program's state from s.
func NewFacts(s *State) *Facts { return &Facts{s} }

// Keys implements Action.
func (a *Facts) Keys(intent string) []screen.Binding {
	if intent != screen.Facts {
		return nil
	}
	return []screen.Binding{{
		Name: intent, Keys: []string{"i"}, Show: "i", Help: "facts: time, tokens", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.has(), Needed: "choose a session or backup", Needs: screen.NeedsActions,
	}}
}

func (a *Facts) has() bool { return a.state.Row != nil && a.state.Row.Kind != sessions.KindDocument }

// Do implements Action.
func (a *Facts) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Facts {
		return nil, false
	}
	if !a.has() {
		return nil, true
	}
	return []screen.Effect{screen.ShowFacts{Row: *a.state.Row}}, true
}

// Took implements Action.
func (*Facts) Took(tea.Msg) []screen.Effect { return nil }
