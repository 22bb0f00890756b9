package action

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Facts shows what happened in a session or backup.
type Facts struct{ desk *Desk }

// NewFacts returns the action. It uses a desk.
func NewFacts(d *Desk) *Facts { return &Facts{d} }

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

func (a *Facts) has() bool { return a.desk.Row != nil && a.desk.Row.Kind != sessions.KindDocument }

// Do implements Action.
func (a *Facts) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Facts {
		return nil, false
	}
	if !a.has() {
		return nil, true
	}
	return []screen.Effect{screen.ShowFacts{Row: *a.desk.Row}}, true
}

// Took implements Action.
func (*Facts) Took(tea.Msg) []screen.Effect { return nil }
