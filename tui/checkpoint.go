package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// openCheckpoint lists how what there is of a session and of its project can be kept.
func (m *model) openCheckpoint() tea.Cmd {
	dir := m.recoverDir()
	mn := &dialog.MenuOptions{Title: "Checkpoint", About: render.Base(dir), Verb: "choose", Note: "Nothing is written before you have seen the plan."}
	row := m.checkpointRow()
	if row != nil {
		mn.ID = row.ID
	}
	which := "this"
	if row != nil && m.onLedger() { // nothing on the screen says which session
		which = "its"
		name := "“" + render.Title(row) + "”"
		if row.Dated() {
			name += ", " + render.Ago(m.now, row.When())
		}
		mn.Note = "This is about the newest session of the project: " + name + ". " + mn.Note
	}
	m.offerGates(mn, dir)
	gates := len(mn.Items)
	if m.Actions != nil {
		off := m.whyNotKept(row, whyNotCopied)
		if off == "" && m.backing {
			off = m.whyNotBackUp()
		}
		mn.Items = append(mn.Items, dialog.Offer{
			Key: "b", Name: "Backup", Note: "copy " + which + " transcript to raw/", Last: m.lastTime(m.lastBackup(row)), Off: off, Do: screen.Do{Intent: screen.Intent{Name: screen.Backup}},
		})
	}
	save := dialog.Offer{Key: "o", Name: "Document", Note: "write a session document from it", Last: m.lastTime(m.lastDocument(row)), Off: m.whyNotKept(row, m.whyNotSaved)}
	if row != nil {
		session := *row
		save.Do = screen.Ask{Change: Change{Kind: ChangeSave, Rows: []sessions.Row{session}}}
	}
	mn.Items = append(mn.Items, save)
	mn.Items[gates].Gap = gates > 0
	m.askPassed(mn, dir)
	return m.openMenu(mn)
}

// askPassed has the menu ask when the gates of a project were passed last. The answer comes while it is shown.
func (m *model) askPassed(mn *dialog.MenuOptions, dir string) {
	if len(mn.Items) == 0 || mn.Items[0].Key != gateKeyLetter || mn.Items[0].Off != "" {
		return
	}
	var ctx context.Context
	ctx, mn.Cancel = context.WithCancel(m.ctx)
	mn.Ask = lookPassed(ctx, m.Ledgers, dir, m.now)
}

// passedWords say when a gate was passed last; a zero time is never.
func passedWords(now, last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + render.Ago(now, last)
}

// The letters of the gates in the menu, and why there is none to run.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// offerGates adds the gate of a project, simplified and full.
func (m *model) offerGates(mn *dialog.MenuOptions, dir string) {
	if m.Ledgers == nil {
		return
	}
	var of []sessions.Row
	if row := m.checkpointRow(); row != nil && !m.onLedger() {
		of = []sessions.Row{*row}
	}
	off := ""
	switch has, known := m.hasLedgers[dir]; {
	case dir == "":
		off = "no project folder"
	case known && !has:
		off = noLedgerHere
	}
	for _, g := range []struct {
		key, name, note string
		mode            gate.Mode
	}{{gateKeyLetter, "Gate", "3 quick checks before /compact", gate.Simplified}, {fullGateKeyLetter, "Full gate", "7 checks before /clear", gate.Full}} {
		mn.Items = append(mn.Items, dialog.Offer{
			Key: g.key, Name: g.name, Note: g.note, Off: off, Verb: "run",
			Below: "Reads NOTES.md, the bead and today's trajectory. Writes nothing.",
			Last:  m.lastGate(dir, g.mode),
			Do:    screen.Gate{Dir: dir, Mode: g.mode, Of: of},
		})
	}
}

// lastGate is when the gate of a project was passed last, as far as its trajectory is known here; "" it is not.
func (m *model) lastGate(dir string, mode gate.Mode) string {
	at, known := m.ledger.LastPassed(dir, mode == gate.Full)
	if !known {
		return ""
	}
	return passedWords(m.now, at)
}

// checkpointRow is the session that a checkpoint is about, nil none.
func (m *model) checkpointRow() *sessions.Row {
	if !m.isSession() {
		return nil
	}
	return m.subject()
}

// hasCheckpoint reports whether there is something to be kept here: a session, or a ledger.
func (m *model) hasCheckpoint() bool {
	return m.isSession() || m.Ledgers != nil && m.recoverDir() != ""
}

// whyNotKept is the reason why nothing can be kept of a session.
func (m *model) whyNotKept(row *sessions.Row, why func(*sessions.Row) string) string {
	switch {
	case row != nil:
		return why(row)
	case m.onLedger():
		return "no session of this project is listed"
	}
	return "choose a session"
}

// whyNotSaved is the reason why no document can be written from a session.
func (m *model) whyNotSaved(row *sessions.Row) string {
	switch why := whyNotCopied(row); {
	case why != "":
		return why
	case row.State == sessions.StateStub:
		return "no message in it"
	}
	return m.whyNotChange()
}

// lastTime is when something was done last, as a menu says it.
func (m *model) lastTime(last time.Time) string { return words.Moment(m.now, last) }

// lastBackup is when a session was backed up last, as far as the list knows.
func (m *model) lastBackup(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return m.newest(func(r *sessions.Row) bool { return r.Kind == sessions.KindBackup && row.ID != "" && r.Of == row.ID })
}

// lastDocument is when the last session document of a project was written.
func (m *model) lastDocument(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return m.newest(func(r *sessions.Row) bool {
		return r.Archived() && row.Project != "" && r.Project == row.Project
	})
}

// newest is the time of the newest row of some.
func (m *model) newest(is func(*sessions.Row) bool) time.Time {
	var last time.Time
	for i := range m.lists {
		for _, h := range m.lists[i].held {
			if is(&h.row) && !h.row.Deleted && h.row.Dated() && h.row.When().After(last) {
				last = h.row.When()
			}
		}
	}
	return last
}
