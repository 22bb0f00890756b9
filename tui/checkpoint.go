package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// openCheckpoint lists how what there is of a session can be kept.
func (m *model) openCheckpoint() tea.Cmd {
	row := m.subject()
	if row == nil {
		return nil
	}
	session := *row
	mn := &menu{title: "Checkpoint", about: render.Base(row.Project), id: row.ID, verb: "choose", note: "Nothing is written before you have seen the plan."}
	which := "this"
	if m.onLedger() { // nothing on the screen says which session
		which = "its"
		mn.note = "This is about the newest session of the project: “" + render.Title(row) + "”, " + render.Ago(m.now, row.When()) + ". " + mn.note
	}
	if m.Actions != nil {
		off := whyNotCopied(row)
		if m.backing {
			off = m.whyNotBackUp()
		}
		mn.items = append(mn.items, offer{
			key: "b", name: "Backup", note: m.lastTime("copy "+which+" transcript to raw/", m.lastBackup(row)), off: off, do: (*model).backUp,
		})
	}
	mn.items = append(mn.items, offer{
		key: "o", name: "Document", note: m.lastTime("write a session document from it", m.lastDocument(row)), off: m.whyNotSaved(row),
		do: func(m *model) tea.Cmd { return m.change(Change{Kind: ChangeSave, Rows: []sessions.Row{session}}) },
	})
	return m.openMenu(mn)
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

// lastTime is what an item does, and when that was done last.
func (m *model) lastTime(does string, last time.Time) string {
	if last.IsZero() {
		return does
	}
	return does + ", last " + render.Moment(m.now, last)
}

// lastBackup is when a session was backed up last, as far as the list knows.
func (m *model) lastBackup(row *sessions.Row) time.Time {
	return m.newest(func(r *sessions.Row) bool { return r.Kind == sessions.KindBackup && row.ID != "" && r.Of == row.ID })
}

// lastDocument is when the last session document of a project was written.
func (m *model) lastDocument(row *sessions.Row) time.Time {
	return m.newest(func(r *sessions.Row) bool {
		return r.Archived() && row.Project != "" && r.Project == row.Project
	})
}

// newest is the time of the newest row of some.
func (m *model) newest(is func(*sessions.Row) bool) time.Time {
	var last time.Time
	for i := range m.lists {
		for _, h := range m.lists[i].held {
			if is(&h.row) && !h.row.Deleted && h.row.When().After(last) {
				last = h.row.When()
			}
		}
	}
	return last
}
