package cli

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions/journal"
)

// journalDir is where the journal lies: $XDG_STATE_HOME/continuo/journal, else ~/.local/state/continuo/journal; "" without
// a home. What is done in a demo is not among what was done.
func (d *deps) journalDir() string {
	dir := d.stateDir()
	switch {
	case d.madeUp:
		dir = filepath.Join(d.home, ".local", "state", "continuo")
	case dir == "":
		return ""
	}
	return filepath.Join(dir, "journal")
}

// journal is what was written by continuo, a command or the browser.
func (d *deps) journal() *journal.Store { return journal.Open(d.journalDir()) }
