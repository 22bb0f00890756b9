package tui

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
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
	// filteredMsg has the rows that match, best first.
	filteredMsg struct {
		gen  int
		hits []filter.Hit
	}
	// previewDueMsg says that the selection stood still for a moment.
	previewDueMsg struct{ gen int }
	// previewedMsg has the end of a conversation, as lines.
	previewedMsg struct {
		gen   int
		lines []string
		shown int // messages that the lines come from
		total int
		err   error
	}
)

// From an opened row.
type (
	openedMsg struct {
		gen     int
		doc     *opened.File
		refs    []transcript.MessageRef
		threads []transcript.Thread
		err     error
	}
	// followedMsg says what became of an open file; refs and threads are there when it has grown.
	followedMsg struct {
		gen, version int
		grown        bool
		refs         []transcript.MessageRef
		threads      []transcript.Thread
		err          error
	}
	// readMsg has decoded messages with their plain lines.
	readMsg struct {
		gen, version int // of the reader, and of the outline that from and to count in
		from, to     int // what was asked for; messages that have gone from the file are not in drawn
		drawn        []drawing
		width        int
		theme        render.Theme
		err          error
	}
	// drawnMsg has messages drawn anew: through markdown, or at another width or in another theme.
	drawnMsg struct {
		gen, version int
		drawn        []drawing
		width        int
		theme        render.Theme
	}
	// searchedMsg has some places in which the needle was found, and what is left to be searched.
	searchedMsg struct {
		gen, reader   int
		places        []found
		ahead, behind stretch
		back          bool // the places are before the bar
		done          bool
	}
	// soughtMsg says in which message of a document something stands, -1 in none.
	soughtMsg struct {
		gen, version, message int
		text                  string
	}
	// outlinedMsg has the sections of the document that is read.
	outlinedMsg struct {
		gen, version int
		sections     []opened.Section
		err          error
	}
	closedMsg struct{ err error }
)

// resumedMsg says that the terminal is back. said is what was done before it was handed over.
type resumedMsg struct {
	err  error
	said string
}

// From the clock.
type (
	clockMsg  struct{ now time.Time }
	waitedMsg struct{ gen int } // an opening has taken long enough to say so
	// lookDueMsg says that an open file may have changed.
	lookDueMsg struct{ gen int }
)
