package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// dropDialogs closes all dialogs for which stay doesn't return true.
func (m *model) dropDialogs(stay ...func(screen.Screen) bool) tea.Cmd {
	var cmds []tea.Cmd
	for i := len(m.stack) - 1; i >= m.dialogsFrom(); i-- {
		if len(stay) == 0 || !stay[0](m.stack[i].screen) {
			cmds = append(cmds, m.remove(m.stack[i].id))
		}
	}
	return tea.Batch(cmds...)
}

// showPlan opens a dialog for a plan if the front screen doesn't handle the plan. A dialog with input of the user stays
// open behind the plan.
func (m *model) showPlan(plan Plan) tea.Cmd {
	front := *m.front()
	if p, ok := front.screen.(screen.Planner); ok {
		if effects, done := p.Planned(plan); done {
			return m.carry(front.id, effects)
		}
	}
	closed := m.dropDialogs(func(s screen.Screen) bool {
		switch s.(type) {
		case *dialog.Recover, *dialog.Note, *dialog.Handover:
			return true
		}
		return false
	})
	return tea.Batch(closed, m.push(dialog.NewPlan(plan, m.planLines, m.Actions != nil)))
}
