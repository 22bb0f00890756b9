package screen

import "github.com/continuo-tui/continuo/sessions"

// BackupTo is the backup that a session would get.
type BackupTo struct {
	Row  sessions.Row
	Dir  string // memory directory of its project
	Off  string // reason why it can't be backed up; "" if it can
	Kept bool   // Dir already has a complete backup
}

// Taking is a way to use a recovery.
type Taking string

// The ways.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // a new claude session in the project, started as set by resume.in in the config
	TakeFile    Taking = "file"    // a new file below the current directory; existing files are never replaced
)
