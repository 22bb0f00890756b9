package screen

import "github.com/continuo-tui/continuo/sessions"

// BackupTo is where the transcript of a session would be copied to.
type BackupTo struct {
	Row  sessions.Row
	Dir  string // memory of its project
	Off  string // why it cannot be copied, in a few words; "" it can
	Kept bool   // a backup there has every byte of it already
}

// Taking is what is done with a recovery.
type Taking string

// The takings.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // a new claude session in the project, as resume.in of the config says
	TakeFile    Taking = "file"    // a new file below the current directory, never over another one
)
