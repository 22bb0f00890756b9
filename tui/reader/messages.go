package reader

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The answers of the commands. One that is about messages has the version of the outline that they are counted in.
type (
	openedMsg struct {
		doc     *opened.File
		refs    []transcript.MessageRef
		threads []transcript.Thread
		err     error
	}
	// followedMsg says what became of an open file; grown is nil when it has not.
	followedMsg struct {
		grown *opened.Grown
		err   error
	}
	// readMsg has decoded messages with their plain lines.
	readMsg struct {
		version  int // of the outline that from and to count in
		from, to int // what was asked for; messages that have gone from the file are not in drawn
		drawn    []drawing
		width    int
		theme    render.Theme
		err      error
	}
	// drawnMsg has messages drawn anew: through markdown, or at another width or in another theme.
	drawnMsg struct {
		version int
		drawn   []drawing
		width   int
		theme   render.Theme
	}
	// searchedMsg has some places in which the needle was found, and what is left to be searched.
	searchedMsg struct {
		gen           int // of the search
		places        []found
		ahead, behind stretch
		back          bool // the places are before the bar
		done          bool
	}
	// soughtMsg says in which message of a document something stands, -1 in none.
	soughtMsg struct {
		version, message int
		text             string
	}
	// outlinedMsg has the sections of the document that is read.
	outlinedMsg struct {
		version  int
		sections []opened.Section
		err      error
	}
	closedMsg struct{ err error }
	// waitedMsg says that opening has taken long enough to say so.
	waitedMsg struct{}
)

// LookDue says that an open backup or document may be looked at again.
type LookDue struct{}

// lookAgain is the time between two looks at an open backup or document: one stat each.
const lookAgain = 2 * time.Second

func after(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return screen.After(ctx, d, func() tea.Msg { return msg })
}

// Drop implements screen.Late: a document that is open when its page was left already is closed.
func (m openedMsg) Drop() []screen.Effect {
	if m.doc == nil {
		return nil
	}
	return commands(closeDoc(m.doc))
}

// Drop implements screen.Late: nobody but the program is there to say it.
func (m closedMsg) Drop() []screen.Effect {
	if m.err == nil {
		return nil
	}
	return []screen.Effect{screen.Fail{What: "The transcript did not close.", Err: m.err}}
}
