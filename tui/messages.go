package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Messages are in the past tense. Answers carry the generation of their question.

// From the catalogue.
type (
	// rowsMsg is a part of the stream of rows. If from isn't nil, more follows.
	rowsMsg struct {
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

// resumedMsg is sent when the terminal is available again. said describes the action before that.
type resumedMsg struct {
	err  error
	said string
}

// From the clock.
type (
	clockMsg  struct{ now time.Time }
	waitedMsg struct{ gen int } // a load is slow enough to show that
)
