package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Message types are named in the past tense. An answer carries the generation of its question.

// From the catalogue.
type (
	// rowsMsg is a part of the stream of rows. If from isn't nil, more follows.
	rowsMsg struct {
		at    time.Time // time of arrival
		gen   int
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
	// changedMsg is a part of the stream of changes. More follows in from.
	changedMsg struct {
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
)

// resumedMsg is sent when the terminal is available again. text is the status message to show.
type resumedMsg struct {
	err  error
	text string
}

// From the clock.
type (
	clockMsg  struct{ now time.Time }
	waitedMsg struct{ gen int } // a load takes long enough to show a message
)
