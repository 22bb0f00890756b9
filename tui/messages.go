package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// The type of a message has a name in the past tense. An answer has the generation of its question.

// Messages from the catalogue.
type (
	// rowsMsg is a part of the stream of rows. If from isn't nil, more parts follow.
	rowsMsg struct {
		at    time.Time // time at which the part arrived
		gen   int
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
	// changedMsg is a part of the stream of changes. More parts follow in from.
	changedMsg struct {
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
)

// resumedMsg is sent when the program has the terminal again. text becomes the message in the status line.
type resumedMsg struct {
	err  error
	text string
}

// Messages from the clock.
type (
	clockMsg  struct{ now time.Time }
	branchMsg string            // of Options.Folder
	waitedMsg struct{ gen int } // a load takes long enough to show a message
)
