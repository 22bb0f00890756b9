package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
)

// recoverDialog opens the recovery of a project at a level.
func (m *model) recoverDialog(dir string, level recovery.Level) tea.Cmd {
	_, _ = dir, level
	return nil
}
