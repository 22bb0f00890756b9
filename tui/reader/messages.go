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

// The answers of the commands. Indexes of messages are valid for the outline with the number version.
type (
	openedMsg struct {
		doc     *opened.File
		refs    []transcript.MessageRef
		threads []transcript.Thread
		last    []string // see opened.LastRecords
		err     error
		match   int // index of the message with the match, or -1
	}
	// followedMsg is the answer of followDoc. grown is nil if the file hasn't grown.
	followedMsg struct {
		grown *opened.Grown
		err   error
	}
	// readMsg has decoded messages, drawn as plain text.
	readMsg struct {
		version  int // version of the outline
		from, to int // requested range; drawn leaves out removed messages
		drawn    []drawing
		width    int
		theme    render.Theme
		err      error
	}
	// drawnMsg has messages that were drawn again, with markdown, or for another width or theme.
	drawnMsg struct {
		version int
		drawn   []drawing
		width   int
		theme   render.Theme
	}
	// searchedMsg has the matches, and the ranges that aren't searched yet.
	searchedMsg struct {
		gen           int // generation of the search
		matches       []found
		ahead, behind stretch
		back          bool // the matches are before the bar
		done          bool
	}
	// soughtMsg has the index of the message with the wanted todo, or -1.
	soughtMsg struct {
		version, message int
		text             string
	}
	// outlinedMsg has the outline.
	outlinedMsg struct {
		version int
		entries []entry
		err     error
	}
	closedMsg struct{ err error }
	// waitedMsg is sent if opening takes so long that the page should say so.
	waitedMsg struct{}
)

// LookDue is sent when it is time to check whether an open backup or document has changed.
type LookDue struct{}

// lookAgain is the time between two checks of an open backup or document. A check costs one stat call.
const lookAgain = 2 * time.Second

func after(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return screen.After(ctx, d, func() tea.Msg { return msg })
}

// Drop implements screen.Late. It closes a document that was opened after the page was closed.
func (m openedMsg) Drop() []screen.Effect {
	if m.doc == nil {
		return nil
	}
	return commands(closeDoc(m.doc))
}

// Drop implements screen.Late. The page is closed, so the program reports the error.
func (m closedMsg) Drop() []screen.Effect {
	if m.err == nil {
		return nil
	}
	return []screen.Effect{screen.Fail{What: "The transcript could not be closed.", Err: m.err}}
}
