package tui

// canUndo reports whether the last actions have one that can be taken back, and whether there is a step back among
// those that can: only the list takes that back.
func (c *changing) canUndo() (can, step bool) {
	for i := range c.past {
		if a := &c.past[i]; !a.Off && !a.Back {
			can, step = can || !a.Step, step || a.Step
		}
	}
	return can, step
}

// onBackups reports whether the list of the backups is shown, also with nothing in it.
func (m *model) onBackups() bool { return !m.isCovered() && m.tab == backupsTab }

func (m *model) isOffBackups() bool { return !m.onBackups() }

// isElsewhere reports whether the footer leaves undo out at its place: that is beside what is done with backups.
func (m *model) isElsewhere() bool { return m.isNoBackup() && !m.onBackups() }

// leftToUndo reports whether another list than that of the backups is shown, and something can be taken back.
func (m *model) leftToUndo() bool {
	can, step := m.changes.canUndo()
	return (can || step) && m.isElsewhere()
}
