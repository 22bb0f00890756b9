package screen

import "github.com/continuo-tui/continuo/sessions"

// Starts reports whether t starts a session.
func (t Taking) Starts() bool { return t == TakeSession || t == TakePlan }

// BackupTo describes the backup that would be made of a session.
type BackupTo struct {
	Row  sessions.Row
	Dir  string // memory directory of the project
	Off  string // reason why the session can't be backed up, or ""
	Kept bool   // Dir already has a complete backup of the session
}

// Taking is a way to use a recovery.
type Taking string

// The ways to use a recovery.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // start a session in the place of the setting resume.in
	TakePlan    Taking = "plan"    // like TakeSession, but in plan mode
	TakeFile    Taking = "file"    // write a new file below the current directory, without replacing a file
)
