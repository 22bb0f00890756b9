package action

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Copy copies a text of the subject to the clipboard.
type Copy struct{ desk *Desk }

// NewCopy returns the action. It uses a desk.
func NewCopy(d *Desk) *Copy { return &Copy{d} }

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
		Gone: a.desk.Row == nil, Needed: "nothing is chosen", Needs: screen.NeedsActions,
	}}
}

// Do implements Action.
func (a *Copy) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.CopyMenu {
		return nil, false
	}
	if a.desk.Row == nil {
		return nil, true
	}
	return menu(a.menu(*a.desk.Row)), true
}

// menu lists the texts of a row that can be copied.
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
	if of := a.desk; of.Part != nil || of.NoPart != "" {
		it := dialog.Offer{Key: "s", Name: "Selection", Note: "the selected part", Off: of.NoPart}
		if of.Part != nil {
			it.Do = *of.Part
		}
		mn.Items = append(mn.Items, it)
	}
	add("c", "Command", "shell command that resumes it", noSession, QuoteCommand)
	add("i", "ID", "", "", QuoteID)
	add("p", "Path", "path of the file", "", QuotePath)
	add("a", "Answer", "the last one, as markdown", noWords, QuoteAnswer)
	add("b", "Block of code", "the last one", noWords, QuoteCode)
	return mn
}

// quoted is what the user has chosen in the menu.
type quoted struct {
	row  sessions.Row
	kind QuoteKind
}

// Text copies a text to the clipboard.
func (a *Copy) Text(e screen.Copy) []screen.Effect {
	var row sessions.Row
	if a.desk.Row != nil {
		row = *a.desk.Row
	}
	return []screen.Effect{screen.Cmd(copyText(a.desk.Context, a.desk.Actions, row, e))}
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

// Took implements Action. It tells the user that the text was copied. If necessary, it also sends the escape
// sequence that makes the terminal copy the text.
func (a *Copy) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case quoted:
		ctx, actions := a.desk.Context, a.desk.Actions
		return []screen.Effect{screen.Cmd(func() tea.Msg { return quote(ctx, actions, msg.row, Quote{Kind: msg.kind}) })}
	case copiedMsg:
		if msg.err != nil {
			return []screen.Effect{fail(msg.err)}
		}
		return []screen.Effect{screen.Tell{Text: msg.copied.Said}, screen.Send{Text: msg.copied.Send}}
	}
	return nil
}
