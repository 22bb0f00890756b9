package screen

import "github.com/continuo-tui/continuo/sessions"

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
	TakeFile    Taking = "file"    // write a new file below the current directory; never replace a file
)
