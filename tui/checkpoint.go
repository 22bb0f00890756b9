package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// openCheckpoint lists how what there is of a session and of its project can be kept.
func (m *model) openCheckpoint() tea.Cmd {
	dir := m.recoverDir()
	mn := &menu{title: "Checkpoint", about: render.Base(dir), verb: "choose", note: "Nothing is written before you have seen the plan."}
	row := m.checkpointRow()
	if row != nil {
		mn.id = row.ID
	}
	which := "this"
	if row != nil && m.onLedger() { // nothing on the screen says which session
		which = "its"
		name := "“" + render.Title(row) + "”"
		if row.Dated() {
			name += ", " + render.Ago(m.now, row.When())
		}
		mn.note = "This is about the newest session of the project: " + name + ". " + mn.note
	}
	m.offerGates(mn, dir)
	gates := len(mn.items)
	if m.Actions != nil {
		off := m.whyNotKept(row, whyNotCopied)
		if off == "" && m.backing {
			off = m.whyNotBackUp()
		}
		mn.items = append(mn.items, offer{
			key: "b", name: "Backup", note: "copy " + which + " transcript to raw/", last: m.lastTime(m.lastBackup(row)), off: off, do: (*model).backUp,
		})
	}
	save := offer{key: "o", name: "Document", note: "write a session document from it", last: m.lastTime(m.lastDocument(row)), off: m.whyNotKept(row, m.whyNotSaved)}
	if row != nil {
		session := *row
		save.do = func(m *model) tea.Cmd { return m.change(Change{Kind: ChangeSave, Rows: []sessions.Row{session}}) }
	}
	mn.items = append(mn.items, save)
	mn.items[gates].gap = gates > 0
	return tea.Batch(m.openMenu(mn), m.askPassed(mn, dir))
}

// askPassed asks when the gates of a project were passed last. The answer comes while the menu is shown.
func (m *model) askPassed(mn *menu, dir string) tea.Cmd {
	if len(mn.items) == 0 || mn.items[0].key != gateKeyLetter || mn.items[0].off != "" {
		return nil
	}
	m.gateGen++
	mn.gen = m.gateGen
	var ctx context.Context
	ctx, mn.cancel = context.WithCancel(m.ctx)
	return lookPassed(ctx, m.Ledgers, dir, mn.gen)
}

// gatesPassed puts into the menu when they were.
func (m *model) gatesPassed(msg gatesPassedMsg) {
	if mn := m.panel.menu; mn != nil && mn.gen == msg.gen {
		for i := range mn.items {
			if key := mn.items[i].key; msg.off != "" && (key == gateKeyLetter || key == fullGateKeyLetter) {
				mn.items[i].off = msg.off
			}
			if last, ok := msg.last[mn.items[i].key]; ok {
				mn.items[i].last = m.passedWords(last)
			}
		}
	}
}

func (m *model) passedWords(last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + render.Ago(m.now, last)
}

// The letters of the gates in the menu, and why there is none to run.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// offerGates adds the gate of a project, simplified and full.
func (m *model) offerGates(mn *menu, dir string) {
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
		mn.items = append(mn.items, offer{
			key: g.key, name: g.name, note: g.note, off: off, verb: "run",
			below: "Reads NOTES.md, the bead and today's trajectory. Writes nothing.",
			last:  m.lastGate(dir, g.mode),
			do:    func(m *model) tea.Cmd { return m.openGate(dir, g.mode, of) },
		})
	}
}

// lastGate is when the gate of a project was passed last, as far as its trajectory is known here; "" it is not.
func (m *model) lastGate(dir string, mode gate.Mode) string {
	if m.ledger == nil || m.ledger.dir != dir || m.ledger.facts == nil {
		return ""
	}
	at, known := m.ledger.facts.logged.lastPassed(mode == gate.Full)
	if !known {
		return ""
	}
	return m.passedWords(at)
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
