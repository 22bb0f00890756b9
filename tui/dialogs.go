package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// dropDialogs closes all dialogs.
func (m *model) dropDialogs() tea.Cmd {
	return m.dropDialogsBut(func(screen.Screen) bool { return false })
}

func (m *model) dropDialogsBut(stays func(screen.Screen) bool) tea.Cmd {
	var cmds []tea.Cmd
	for i := len(m.stack) - 1; i >= m.dialogsFrom(); i-- {
		if !stays(m.stack[i].screen) {
			cmds = append(cmds, m.remove(m.stack[i].id))
		}
	}
	return tea.Batch(cmds...)
}

// openHelp lists the keys of what is behind it.
func (m *model) openHelp() tea.Cmd {
	return m.push(dialog.NewHelp(m.top().screen.Name(), m.keysBehind()))
}

// showPlan shows a plan, unless the screen that has asked for it needs no more than to look at it.
func (m *model) showPlan(plan Plan) tea.Cmd {
	front := *m.front()
	if p, ok := front.screen.(screen.Planner); ok {
		if effects, done := p.Planned(plan); done {
			return m.carry(front.id, effects)
		}
	}
	return m.openPlan(plan)
}

// openPlan shows a plan. The dialog that it was asked in comes back with esc, when that has something typed or chosen.
func (m *model) openPlan(plan Plan) tea.Cmd {
	closed := m.dropDialogsBut(func(s screen.Screen) bool {
		switch s.(type) {
		case *dialog.Recover, *dialog.Note:
			return true
		}
		return false
	})
	return tea.Batch(closed, m.push(dialog.NewPlan(plan, m.planLines, m.Actions != nil)))
}
