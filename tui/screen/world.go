package screen

import "github.com/continuo-tui/continuo/sessions"

// BackupTo is the backup that a session would get.
type BackupTo struct {
	Row  sessions.Row
	Dir  string // memory directory of its project
	Off  string // reason why it can't be backed up; "" if it can
	Kept bool   // a backup there is already complete
}

// Taking is a way to use a recovery.
type Taking string

// The ways.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // a new claude session in the project, started as resume.in in the config says
	TakeFile    Taking = "file"    // a new file below the current directory, never over another one
)
