package action

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Copy copies a text from the subject to the clipboard.
type Copy struct{ state *State }

// NewCopy returns the action. It reads the program's state from s.
func NewCopy(s *State) *Copy { return &Copy{s} }

// copiedMsg describes what was copied.
type copiedMsg struct {
	copied Copied
	err    error
}

// Keys implements Action.
func (a *Copy) Keys(intent string) []screen.Binding {
	if intent != screen.CopyMenu {
		return nil
	}
	return []screen.Binding{{
		Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy", Help: "copy…", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: a.state.Row == nil, Needed: "nothing is chosen", Needs: screen.NeedsActions,
	}}
}

// Do implements Action.
func (a *Copy) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.CopyMenu {
		return nil, false
	}
	if a.state.Row == nil {
		return nil, true
	}
	return menu(a.menu(*a.state.Row)), true
}

// menu returns the menu of the texts that can be copied from a row.
func (a *Copy) menu(row sessions.Row) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: "Copy", About: screen.ShortID(row.ID), ID: row.ID, Verb: "copy"}
	add := func(key, name, note, off string, kind QuoteKind) {
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: note, Off: off, Do: screen.Reply{Msg: quoted{row, kind}}})
	}
	noSession, noWords := whyNotResumed(&row), ""
	if row.Kind != sessions.KindSession {
		noSession = "not a session"
	}
	switch {
	case row.Kind == sessions.KindDocument:
		noWords = "not a conversation"
	case row.Deleted || row.State == sessions.StateUnreadable:
		noWords = "cannot be read"
	case row.State == sessions.StateEmpty || row.State == sessions.StateStub:
		noWords = "the session is empty"
	}
	if of := a.state; of.Part != nil || of.NoPart != "" {
		it := dialog.Offer{Key: "s", Name: "Selection", Note: "the selected part", Off: of.NoPart}
		if of.Part != nil {
			it.Do = *of.Part
		}
		mn.Items = append(mn.Items, it)
	}
	add("c", "Command", "shell command to resume the session", noSession, QuoteCommand)
	add("i", "ID", "", "", QuoteID)
	add("p", "Path", "path of the file", "", QuotePath)
	add("a", "Answer", "last answer, as markdown", noWords, QuoteAnswer)
	add("b", "Block of code", "last block", noWords, QuoteCode)
	return mn
}

// quoted is the kind of text that the user has chosen in the menu.
type quoted struct {
	row  sessions.Row
	kind QuoteKind
}

// Text copies a text to the clipboard.
func (a *Copy) Text(e screen.Copy) []screen.Effect {
	var row sessions.Row
	if a.state.Row != nil {
		row = *a.state.Row
	}
	return []screen.Effect{screen.Cmd(copyText(a.state.Context, a.state.Actions, row, e))}
}

func copyText(ctx context.Context, actions Actions, row sessions.Row, e screen.Copy) tea.Cmd {
	return func() tea.Msg {
		if e.Find != nil {
			text, err := e.Find(ctx)
			if err != nil {
				return copiedMsg{err: err}
			}
			if text == "" {
				return copiedMsg{copied: Copied{Said: e.None}}
			}
			e.Text = text
		}
		return quote(ctx, actions, row, Quote{Kind: QuoteText, Text: e.Text, Name: e.Name})
	}
}

func quote(ctx context.Context, actions Actions, row sessions.Row, what Quote) tea.Msg {
	c, err := actions.Copy(ctx, row, what)
	return copiedMsg{copied: c, err: err}
}

// Took implements Action. It shows a message. Some texts are copied by the terminal, so Took sends the escape sequence.
func (a *Copy) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case quoted:
		ctx, actions := a.state.Context, a.state.Actions
		return []screen.Effect{screen.Cmd(func() tea.Msg { return quote(ctx, actions, msg.row, Quote{Kind: msg.kind}) })}
	case copiedMsg:
		if msg.err != nil {
			return []screen.Effect{fail(msg.err)}
		}
		return []screen.Effect{screen.Tell{Text: msg.copied.Said}, screen.Send{Text: msg.copied.Send}}
	}
	return nil
}
