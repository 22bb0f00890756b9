package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
)

// isUnsaved reports whether a session ended without a backup, and can have one yet.
func isUnsaved(r *sessions.Row) bool { return r.Has(sessions.FlagNoBackup) && !r.Deleted }

// unsaved are the sessions that ended without a backup, newest first.
func (m *model) unsaved() []sessions.Row {
	var rows []sessions.Row
	for _, h := range m.lists[sessionsTab].held {
		if isUnsaved(&h.row) {
			rows = append(rows, h.row)
		}
	}
	slices.SortFunc(rows, func(a, b sessions.Row) int { return a.Compare(&b) })
	return rows
}

// offerBackup says once how many sessions ended without a backup, when all are known and nothing is in the way.
func (m *model) offerBackup() {
	n := m.lists[sessionsTab].tally.unsaved
	if m.offered || m.loading || n == 0 || m.status.text != "" || m.hasDialog() || m.place() != inList {
		return
	}
	key := ""
	for _, b := range m.usable(m.ofPlace(inList)) {
		if b.Name == "backup" {
			key = b.Show
		}
	}
	if key == "" { // nothing can be done
		return
	}
	m.offered = true
	does := key + " backs " + them(n) + " up."
	text := m.unsavedWords() + " " + does
	if ansi.StringWidth(text) > m.width-4 {
		text = words.Count(n) + " not backed up. " + does
	}
	m.status = status{text: text, offer: true}
}

// unsavedWords says how many sessions ended without a backup, and where: here is the project that the list shows.
func (m *model) unsavedWords() string {
	here := 0
	rows := m.unsaved()
	for i := range rows {
		if m.scope.wide() || rows[i].Project == m.scope.project {
			here++
		}
	}
	elsewhere := len(rows) - here
	count := func(n int) string { return words.Counted(n, "session", "sessions") }
	switch {
	case elsewhere == 0:
		return count(here) + " ended without a backup."
	case here == 0:
		return count(elsewhere) + " elsewhere ended without a backup."
	}
	return count(here) + " here ended without a backup, " + words.Count(elsewhere) + " elsewhere."
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// canBackUp reports whether there is something to back up: the session, or what ended without a backup.
func (m *model) canBackUp() bool { return m.isSession() || m.lists[sessionsTab].tally.unsaved > 0 }

// whyNotBackUp is the reason why nothing can be backed up.
func (m *model) whyNotBackUp() string {
	switch {
	case m.backing:
		return "one is being made"
	case m.lists[sessionsTab].tally.unsaved > 0:
		return ""
	}
	return whyNotCopied(m.subject())
}

// whyNotCopied is the reason why there is nothing to copy of a session.
func whyNotCopied(row *sessions.Row) string {
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	case row.State == sessions.StateEmpty:
		return "nothing in it"
	}
	return ""
}

// backUp asks where the backup of the session would go, and those of all that ended without one.
func (m *model) backUp() tea.Cmd {
	answer := backupAskedMsg{all: m.unsaved(), onOffer: m.onOffer}
	rows := answer.all
	if m.isSession() {
		row := *m.subject()
		answer.one = &row
		if !slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Path == row.Path }) {
			rows = append([]sessions.Row{row}, rows...)
		}
	}
	ctx := m.begin()
	answer.gen = m.resumeGen
	return tea.Batch(askBackup(ctx, m.Actions, rows, answer), waitResume(ctx, answer.gen))
}

// backupAsked shows the plan, or says why there is none.
func (m *model) backupAsked(msg backupAskedMsg) tea.Cmd {
	if msg.gen != m.resumeGen { // the person has gone on to something else
		return nil
	}
	m.drop()
	if msg.err != nil {
		m.fail("", msg.err)
		return nil
	}
	mn := m.backupMenu(&msg)
	if len(mn.Items) == 1 && mn.Items[0].Do == nil { // there is nothing to choose
		m.notBackedUp(&msg)
		return nil
	}
	if i := slices.IndexFunc(mn.Items, func(it dialog.Offer) bool { return it.Key == "a" && it.Off == "" }); msg.onOffer && i >= 0 {
		mn.At = i // what was offered
	}
	return m.openMenu(mn)
}

// notBackedUp says why nothing of what was asked for can be backed up.
func (m *model) notBackedUp(msg *backupAskedMsg) {
	goes := msg.outcome.Goes
	it := "They"
	is := " are"
	if len(goes) == 1 {
		it, is = "It", " is"
	}
	for i := range goes {
		if !goes[i].Kept {
			m.status = status{text: transcript.CleanLine(it + " cannot be backed up: " + goes[i].Off + "."), bad: true}
			return
		}
	}
	m.status.say(it + is + " backed up already, every byte.")
}

// stillBacking says so when a copy takes its time.
func (m *model) stillBacking() {
	if m.backing && m.status.text == "" {
		m.status.say("Backing up…")
	}
}

// backedUp says what was made, which can be taken back now. The watch brings the rows.
func (m *model) backedUp(msg backedUpMsg) tea.Cmd {
	m.backing = false
	if msg.err != nil {
		m.fail("", msg.err)
	} else {
		m.status.say(msg.outcome.Said)
	}
	return m.askPast()
}
