package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// take does what writes nothing into the project.
func (m *model) take(e screen.Take) tea.Cmd {
	if e.How != TakeSession { // it is quick, and is finished whatever one goes on to
		return takeRecovery(m.ctx, m.Ledgers, e.Dir, e.Result, e.How, 0)
	}
	ctx := m.begin()
	return tea.Batch(takeRecovery(ctx, m.Ledgers, e.Dir, e.Result, e.How, m.resumeGen), waitResume(ctx, m.resumeGen))
}

// taken says what has become of it. A session that was started takes the place of the dialog.
func (m *model) taken(msg takenMsg) tea.Cmd {
	late := msg.how == TakeSession && msg.gen != m.resumeGen
	if msg.how == TakeSession && !late {
		m.drop()
	}
	t := msg.taken
	switch {
	case late && (msg.err != nil || t.Run != nil): // the person has gone on to something else
		return nil
	case msg.err != nil:
		m.fail("", msg.err)
		return nil
	case t.Run != nil:
		closed := m.dropDialogs()
		m.status = status{}
		m.away, m.dragging = true, false
		return tea.Batch(closed, takeOver(t.Run, t.Said))
	}
	var closed tea.Cmd
	if msg.how == TakeSession && !late {
		closed = m.dropDialogs()
	}
	if m.status.say(t.Said); t.Send != "" {
		return tea.Batch(closed, tea.Raw(t.Send))
	}
	switch msg.how {
	case TakeSession:
		return tea.Batch(closed, m.lookAround())
	case TakeFile:
		return m.askPast() // u knows of it then
	case TakeCopy:
	}
	return nil
}
