package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Messages are past tense. The ones that answer a question carry its generation.

// From the catalogue.
type (
	// rowsMsg is some of the stream of rows; more waits in from unless it is nil.
	rowsMsg struct {
		gen   int
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
	// changedMsg is some of the stream of changes; more waits in from.
	changedMsg struct {
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
)

// resumedMsg says that the terminal is back. said is what was done before it was handed over.
type resumedMsg struct {
	err  error
	said string
}

// From the clock.
type (
	clockMsg  struct{ now time.Time }
	waitedMsg struct{ gen int } // a load has taken long enough to say so
)
