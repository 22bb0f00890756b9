package cli

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions/journal"
)

// journalDir is where the journal lies: $XDG_STATE_HOME/continuo/journal, else ~/.local/state/continuo/journal; "" without
// a home. What is done in a demo is not among what was done.
func journalDir(env *Env) string {
	dir := env.stateDir()
	switch {
	case env.madeUp:
		dir = filepath.Join(env.home, ".local", "state", "continuo")
	case dir == "":
		return ""
	}
	return filepath.Join(dir, "journal")
}

// openJournal is what was written by continuo, a command or the browser.
func openJournal(env *Env) *journal.Store { return journal.Open(journalDir(env)) }
