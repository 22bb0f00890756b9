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

// Answers of the commands. version is the version of the outline that the message indexes refer to.
type (
	openedMsg struct {
		doc     *opened.File
		refs    []transcript.MessageRef
		threads []transcript.Thread
		err     error
		match   int // message of the match to go to, -1 if there is none
	}
	// followedMsg is the result of followDoc; grown is nil if the file hasn't grown.
	followedMsg struct {
		grown *opened.Grown
		err   error
	}
	// readMsg contains decoded messages with plain lines.
	readMsg struct {
		version  int // version of the outline
		from, to int // requested range; messages that are no longer in the file are missing from drawn
		drawn    []drawing
		width    int
		theme    render.Theme
		err      error
	}
	// drawnMsg contains messages that were drawn again: with markdown, or for another width or theme.
	drawnMsg struct {
		version int
		drawn   []drawing
		width   int
		theme   render.Theme
	}
	// searchedMsg contains places with a match, and the ranges that aren't searched yet.
	searchedMsg struct {
		gen           int // generation of the search
		places        []found
		ahead, behind stretch
		back          bool // the places are before the bar
		done          bool
	}
	// soughtMsg contains the index of the message with the todo for which the reader was opened, -1 if it has none.
	soughtMsg struct {
		version, message int
		text             string
	}
	// outlinedMsg contains the outline.
	outlinedMsg struct {
		version int
		entries []entry
		err     error
	}
	closedMsg struct{ err error }
	// waitedMsg is sent if opening takes so long that the page must say so.
	waitedMsg struct{}
)

// LookDue is sent when an open backup or document may be checked for changes.
type LookDue struct{}

// lookAgain is the interval between two checks of an open backup or document. Each check is one call of stat.
const lookAgain = 2 * time.Second

func after(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return screen.After(ctx, d, func() tea.Msg { return msg })
}

// Drop implements screen.Late: it closes a document that was opened after its page was closed.
func (m openedMsg) Drop() []screen.Effect {
	if m.doc == nil {
		return nil
	}
	return commands(closeDoc(m.doc))
}

// Drop implements screen.Late: the program reports the error, because the page is closed.
func (m closedMsg) Drop() []screen.Effect {
	if m.err == nil {
		return nil
	}
	return []screen.Effect{screen.Fail{What: "The transcript could not be closed.", Err: m.err}}
}
