package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// openCopy lists what can be copied of the subject.
func (m *model) openCopy() tea.Cmd {
	row := m.subject()
	if row == nil {
		return nil
	}
	subject := *row
	mn := &dialog.MenuOptions{Title: "Copy", About: shortID(row.ID), ID: row.ID, Verb: "copy"}
	add := func(key, name, note, off string, kind QuoteKind) {
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: note, Off: off, Do: func(m *model) tea.Cmd {
			return copyQuote(m.ctx, m.Actions, subject, Quote{Kind: kind})
		}})
	}
	noSession, noWords := m.whyNotResume(), ""
	if row.Kind != sessions.KindSession {
		noSession = "not a session"
	}
	switch {
	case row.Kind == sessions.KindDocument:
		noWords = "not a conversation"
	case row.Deleted || row.State == sessions.StateUnreadable:
		noWords = "cannot be read"
	case row.State == sessions.StateEmpty || row.State == sessions.StateStub:
		noWords = "nothing in it"
	}
	if of := m.top().screen.Subject(); of.Part != nil || of.NoPart != "" {
		it := dialog.Offer{Key: "s", Name: "Selection", Note: "what the bar stands on", Off: of.NoPart}
		if of.Part != nil {
			it.Do = *of.Part
		}
		mn.Items = append(mn.Items, it)
	}
	add("c", "Command", "that resumes it, for a shell", noSession, QuoteCommand)
	add("i", "Id", "", "", QuoteID)
	add("p", "Path", "of the file", "", QuotePath)
	add("a", "Answer", "the last one, as markdown", noWords, QuoteAnswer)
	add("b", "Block of code", "the last one", noWords, QuoteCode)
	return m.openMenu(mn)
}

// copyText puts a text on the clipboard.
func (m *model) copyText(e screen.Copy) tea.Cmd {
	var row sessions.Row
	if r := m.subject(); r != nil {
		row = *r
	}
	return copyText(m.ctx, m.Actions, row, e)
}

// copied says what was copied, and sends the terminal what it needs for it.
func (m *model) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail("", msg.err)
		return nil
	}
	m.status.say(msg.copied.Said)
	if msg.copied.Send == "" {
		return nil
	}
	return tea.Raw(msg.copied.Send)
}

// whyNoPart is the reason why there is nothing under the bar.
func (m *model) whyNoPart() string {
	if r := m.reader; r == nil || r.doc == nil || len(r.refs) == 0 {
		return "nothing is shown"
	}
	return ""
}

// edit opens what the bar stands on in the editor.
func (m *model) edit() tea.Cmd {
	if e := m.editing(); e != nil && (e.Find != nil || e.File != "") {
		return editFile(m.begin(), m.Actions, *e, m.resumeGen)
	}
	return nil
}

// editing is what the editor would open, nil nothing.
func (m *model) editing() *screen.Edit {
	of := m.top().screen.Subject()
	if of.Edit == nil && of.Row != nil && of.Row.Kind == sessions.KindDocument {
		return &screen.Edit{Row: *of.Row, File: of.Row.Path}
	}
	return of.Edit
}

// canEdit reports whether something here has a file: a document, or a call of a conversation.
func (m *model) canEdit() bool { return m.editing() != nil }

func shortID(id string) string {
	return transcript.CleanLine(id[:min(len(id), 8)])
}
