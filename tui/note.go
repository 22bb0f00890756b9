package tui

import tea "charm.land/bubbletea/v2"

// noteDialog lets one add something to the ledger of a project.
func (m *model) noteDialog(dir string) tea.Cmd {
	_ = dir
	return nil
}
