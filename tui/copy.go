package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
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
	if m.reader != nil {
		mn.Items = append(mn.Items, dialog.Offer{Key: "s", Name: "Selection", Note: "what the bar stands on", Off: m.whyNoPart(), Do: (*model).copyPart})
	}
	add("c", "Command", "that resumes it, for a shell", noSession, QuoteCommand)
	add("i", "Id", "", "", QuoteID)
	add("p", "Path", "of the file", "", QuotePath)
	add("a", "Answer", "the last one, as markdown", noWords, QuoteAnswer)
	add("b", "Block of code", "the last one", noWords, QuoteCode)
	return m.openMenu(mn)
}

// copyText puts a text on the clipboard; name is the word for it.
func (m *model) copyText(name, text string) tea.Cmd {
	var row sessions.Row
	if r := m.subject(); r != nil {
		row = *r
	}
	return copyQuote(m.ctx, m.Actions, row, Quote{Kind: QuoteText, Text: text, Name: name})
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

// copyPart copies what the bar stands on.
func (m *model) copyPart() tea.Cmd {
	r := m.reader
	return quotePart(m.ctx, m.Actions, r.row, r.doc, r.version, r.bar.message, r.part(r.bar).Block)
}

// edit opens the file that the call under the bar names, or the document itself, in the editor.
func (m *model) edit() tea.Cmd {
	row := m.subject()
	switch {
	case row == nil:
		return nil
	case row.Kind == sessions.KindDocument:
		return m.editDocument(*row)
	case m.whyNoPart() != "":
		return nil
	}
	r := m.reader
	return editPart(m.begin(), m.Actions, r.row, r.doc, r.version, r.bar.message, r.part(r.bar).Block, m.resumeGen)
}

// canEdit reports whether something here has a file: a document, or a call of a conversation.
func (m *model) canEdit() bool {
	row := m.subject()
	return row != nil && (row.Kind == sessions.KindDocument || m.reader != nil)
}

func shortID(id string) string {
	return transcript.CleanLine(id[:min(len(id), 8)])
}
