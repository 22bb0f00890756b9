package tui

// canUndo reports whether one of the last actions can be taken back by undo, and whether there is a step back, or an action
// of a project that is not listed: only the list takes those back.
func (m *model) canUndo() (can, step, elsewhere bool) {
	for i := range m.changes.past {
		switch a := &m.changes.past[i]; {
		case a.Off || a.Back:
		case a.Step:
			step = true
		case a.Elsewhere && !m.scope.wide():
			elsewhere = true
		default:
			can = true
		}
	}
	return can, step, elsewhere
}

// onBackups reports whether the list of the backups is shown, also with nothing in it.
func (m *model) onBackups() bool { return !m.isCovered() && m.tab == backupsTab }

func (m *model) isOffBackups() bool { return !m.onBackups() }

// isElsewhere reports whether the footer leaves undo out at its place: that is beside what is done with backups.
func (m *model) isElsewhere() bool { return m.isNoBackup() && !m.onBackups() }

// isUndoQuiet reports whether the footer leaves undo out at its place: also where it can take nothing back itself.
func (m *model) isUndoQuiet() bool { return m.isElsewhere() || m.onlyStepBack() }

// isPastQuiet reports whether the footer leaves the list of undo out at its place: it has another one where only it can
// take something back.
func (m *model) isPastQuiet() bool { return m.isOffBackups() || m.onlyStepBack() }

// leftToUndo reports whether another list than that of the backups is shown, and something can be taken back by undo.
func (m *model) leftToUndo() bool {
	can, _, _ := m.canUndo()
	return can && m.isElsewhere()
}

// onlyStepBack reports whether only the list of undo can take something back.
func (m *model) onlyStepBack() bool {
	can, step, elsewhere := m.canUndo()
	return (step || elsewhere) && !can
}

// stepBackHere reports whether the footer names that list in the place of undo, and stepBackElsewhere whether it does in
// that of both.
func (m *model) stepBackHere() bool { return m.onlyStepBack() && m.onBackups() }

func (m *model) stepBackElsewhere() bool { return m.onlyStepBack() && m.isElsewhere() }
