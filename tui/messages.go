package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Message types have names in the past tense. An answer has the generation of its request.

// Messages from the catalogue.
type (
	// rowsMsg is a batch of the stream of rows. from is nil after the last batch.
	rowsMsg struct {
		at    time.Time // when the batch arrived
		gen   int
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
	// changedMsg is a batch of the stream of changes. from delivers the next batches.
	changedMsg struct {
		batch sessions.Batch
		from  <-chan sessions.Batch
	}
)

// resumedMsg is sent when a program that had the terminal has ended. The status line shows text.
type resumedMsg struct {
	err  error
	text string
}

// Messages from the clock.
type (
	clockMsg  struct{ now time.Time }
	branchMsg string            // the branch of Options.Folder
	waitedMsg struct{ gen int } // a load has taken long enough to show a message
)
