package tui

import tea "charm.land/bubbletea/v2"

// whyNotTaken is the reason why nothing can be done with the level under the bar.
func (m *model) whyNotTaken() string {
	switch a := m.panel.recover.at(m.panel.recover.level); {
	case a.asking:
		return "still reading"
	case a.err != nil:
		return "it could not be read"
	case a.known == nil || a.known.Text == "":
		return "there is nothing to recover"
	}
	return ""
}

// take does with the level under the bar what writes nothing into the project.
func take(how Taking) intent {
	return func(m *model) tea.Cmd {
		r := m.panel.recover
		result := *r.at(r.level).known
		if how != TakeSession { // it is quick, and is finished whatever one goes on to
			return takeRecovery(m.ctx, m.Ledgers, r.dir, result, how, 0)
		}
		ctx := m.begin()
		return tea.Batch(takeRecovery(ctx, m.Ledgers, r.dir, result, how, m.resumeGen), waitResume(ctx, m.resumeGen))
	}
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
		m.dropPanel()
		m.status = status{}
		m.away, m.dragging = true, false
		return takeOver(t.Run, t.Said)
	}
	if msg.how == TakeSession && !late {
		m.dropPanel()
	}
	if m.status.say(t.Said); t.Send != "" {
		return tea.Raw(t.Send)
	}
	switch msg.how {
	case TakeSession:
		return m.lookAround()
	case TakeFile:
		return m.askPast() // u knows of it then
	case TakeCopy:
	}
	return nil
}

// stage shows the plan that puts the level under the bar where the next start of a session prints it.
func (m *model) stage() tea.Cmd {
	r := m.panel.recover
	return m.change(Change{Kind: ChangeStage, Dir: r.dir, Text: r.at(r.level).known.Text})
}

// unstage shows the plan that takes away what is staged.
func (m *model) unstage() tea.Cmd {
	return m.change(Change{Kind: ChangeStage, Dir: m.panel.recover.dir})
}

func (m *model) canStage() bool   { return m.Changes != nil }
func (m *model) canUnstage() bool { return m.Changes != nil && !m.panel.recover.staged.IsZero() }
