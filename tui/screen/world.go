package screen

import "github.com/continuo-tui/continuo/sessions"

// Starts reports whether a session is started.
func (t Taking) Starts() bool { return t == TakeSession || t == TakePlan }

// BackupTo is the backup that a session would have.
type BackupTo struct {
	Row  sessions.Row
	Dir  string // memory directory of the project
	Off  string // why the session can't be backed up; "" if it can be backed up
	Kept bool   // Dir already has a complete backup
}

// Taking is a way to use a recovery.
type Taking string

// The ways to use a recovery.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // start a new claude session in the project, as resume.in in the config says
	TakePlan    Taking = "plan"    // as TakeSession, with claude in plan mode: it may read, but change nothing
	TakeFile    Taking = "file"    // write a new file below the current directory; never replace a file
)
