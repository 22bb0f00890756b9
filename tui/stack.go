package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
)

// switchTab is the effect that shows another tab.
type switchTab int

// answerMsg is the answer to a command of a screen.
type answerMsg struct {
	to  int
	msg tea.Msg
}

// The IDs of the tabs' screens, which are also their indices in screens.bases.
const (
	listScreen = iota
	ledgerScreen
	tasksScreen
	liveScreen
)

// push opens a screen and drops its replies.
func (m *model) push(s screen.Screen) tea.Cmd { return m.pushFor(nobody, s) }

// pushFor opens a screen. Its replies go to the screen with the ID opener.
func (m *model) pushFor(opener int, s screen.Screen) tea.Cmd {
	id := m.add(opener, s)
	if isDialog(s) {
		return tea.Batch(m.carry(id, s.Fit(m.frame(true))), m.carry(id, s.Open()))
	}
	m.arrange()
	return m.carry(id, s.Open())
}

// remove closes a screen anywhere in the stack.
func (m *model) remove(id int) tea.Cmd {
	if closed := m.take(id); closed != nil {
		return m.carry(id, closed.Close())
	}
	return nil
}

// pop closes a screen and shows the screen behind.
func (m *model) pop(id int) tea.Cmd {
	if id == listScreen || id == tasksScreen { // esc returns to the project page
		if m.backTo == nil {
			return nil
		}
		return m.showPage(m.backTo.Again())
	}
	if m.front().id == id && isDialog(m.front().screen) {
		return m.remove(id)
	}
	cmd := m.remove(id)
	m.arrange()
	if s, ok := m.top().screen.(screen.Reopened); ok {
		return tea.Batch(cmd, m.carry(m.top().id, s.Reopened()))
	}
	return cmd
}

// toBase closes all screens in front of the tab's screen, except for dialogs.
func (m *model) toBase() tea.Cmd {
	var cmds []tea.Cmd
	for i := m.dialogsFrom() - 1; i > 0; i-- {
		cmds = append(cmds, m.remove(m.stack[i].id))
	}
	return tea.Batch(cmds...)
}

// toScreen passes an answer to the screen or action with the ID. Answers to closed screens are dropped.
func (m *model) toScreen(msg answerMsg) tea.Cmd {
	for _, s := range m.all() {
		if s.id == msg.to {
			return m.carry(s.id, s.screen.Took(msg.msg))
		}
	}
	for _, a := range m.acts.all() {
		if a.id == msg.to {
			m.currentActions()
			return m.carry(a.id, a.Took(msg.msg))
		}
	}
	if late, ok := msg.msg.(screen.Late); ok {
		return m.carry(msg.to, late.Drop())
	}
	return nil
}

// tell sends news to all screens.
func (m *model) tell(news tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range m.all() {
		cmds = append(cmds, m.carry(s.id, s.screen.Took(news)))
	}
	return tea.Batch(cmds...)
}

// fit lays out the terminal for the top screen and tells all screens their size.
func (m *model) fit() tea.Cmd {
	var cmds []tea.Cmd
	m.layout = arrange(m.width, m.height, m.top().screen.Shape(m.width, m.height))
	for i, s := range slices.Clone(m.stack) {
		cmds = append(cmds, m.carry(s.id, s.screen.Fit(m.frame(i >= m.dialogsFrom()-1))))
	}
	return tea.Batch(cmds...)
}

func (m *model) frame(front bool) screen.Frame {
	m.acts.state.Listed = m.lists.Listed()
	return screen.Frame{
		Width: m.width, Height: m.height, Layout: m.layout, Styles: m.styles, Now: m.now, Home: m.opts.Home,
		Busy: m.acts.change.Busy(), Keys: m.opts.Keys, Front: front, Awake: m.awake.Load(),
		Said: m.status.text, Wrong: m.status.bad, KeyOf: m.keyOf, CanUndo: m.acts.change.CanUndo(),
	}
}

// carry carries out the effects that the screen id has returned.
func (m *model) carry(id int, effects []screen.Effect) tea.Cmd {
	opener := m.openerOf(id) // an effect may close the screen
	var cmds []tea.Cmd
	for _, e := range effects {
		if r, ok := e.(screen.Reply); ok {
			cmds = append(cmds, m.toScreen(answerMsg{opener, r.Msg}))
			continue
		}
		cmds = append(cmds, m.effect(id, e))
	}
	return tea.Batch(cmds...)
}

// effect runs a command or changes the stack. request handles other effects.
func (m *model) effect(id int, e screen.Effect) tea.Cmd {
	switch e := e.(type) {
	case screen.Cmd:
		return func() tea.Msg {
			if msg := e(); msg != nil {
				return answerMsg{id, msg}
			}
			return nil
		}
	case switchTab:
		return m.toTab(int(e))
	case screen.Push:
		return m.pushFor(id, e.Screen)
	case screen.Open:
		closed := m.dropDialogs()
		m.status = status{}
		return tea.Batch(closed, m.pushFor(id, e.Dialog))
	case screen.Drive:
		return m.openDriven(e)
	case screen.ShowFacts:
		return m.openFacts(e.Row)
	case screen.SaveSearch:
		return m.saved.toggle(m.ctx, e.Text)
	case screen.SearchFor:
		return m.openSearch(e.Text)
	case screen.AskFolder:
		return m.push(dialog.NewFolder(dialog.FolderOptions{
			Context: m.ctx, Folders: m.Actions, Title: "Another directory", Verb: "search here", About: e.About, Take: e.Take,
		}))
	case screen.Pop:
		return m.pop(id)
	case screen.Replace:
		opener := m.openerOf(id)
		return tea.Batch(m.remove(id), m.pushFor(opener, e.Screen))
	case screen.Along:
		return m.alongRead(id, e)
	case screen.Do:
		return m.performOn(*m.top(), e.Intent)
	}
	return m.request(e)
}

// show switches to the tab of a row or task, and selects the row or task there.
func (m *model) show(e screen.Effect) tea.Cmd {
	left := m.leavePage()
	if task, ok := e.(screen.ShowTask); ok {
		m.ledgerFor = task.Dir
		to := m.toTab(tasksTab)
		m.tasks.Select(task.Slug)
		return tea.Batch(left, to)
	}
	to := e.(screen.Show)
	m.lists.To(to)
	return tea.Batch(left, m.toTab(slices.Index(kinds(), to.Kind)))
}

// request carries out the requests that don't depend on the screen.
func (m *model) request(e screen.Effect) tea.Cmd {
	switch e := e.(type) {
	case screen.Tell:
		m.status.say(e.Text)
		m.status.bad = e.Wrong
	case screen.Fail:
		m.status.fail(e.What, e.Err, m.opts.Home)
	case screen.ShowPlan:
		return m.showPlan(e.Plan)
	case screen.CloseDialogs:
		return m.dropDialogs()
	case screen.Broadcast:
		return m.tell(e.News)
	case screen.LookAround:
		return m.refreshAll()
	case screen.Send:
		if e.Text != "" {
			return tea.Raw(e.Text)
		}
	case screen.Run:
		m.away = true
		return takeOver(e.Program, e.Said)
	case screen.Read:
		return m.push(m.makeReader(e, m.spots[e.Row.Path]))
	case reader.Left:
		m.spots[e.Path] = e.Spot
	case screen.Show, screen.ShowTask:
		return m.show(e)
	case screen.Gate:
		return m.openGate(e)
	case screen.HasLedger, screen.HasTasks:
		m.ledgers.learn(e)
		m.updateTabs()
	case screen.Reload:
		return m.load()
	case screen.FindLedgers:
		m.recheckLedgers(m.awake.Load())
	case screen.Clock:
		if e.Now.After(m.now) {
			m.now = e.Now.In(m.zone)
		}
	default:
		return m.actionRequest(e)
	}
	return nil
}
