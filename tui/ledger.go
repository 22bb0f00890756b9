package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// ledgersMsg has the projects that were checked (looked), those of them that have a ledger (in), and the numbers of
// their tasks.
type ledgersMsg struct {
	looked, in []string
	tasks      map[string]int
}

// findLedgers returns a command that checks which projects have a ledger or tasks.
func findLedgers(ctx context.Context, ledgers Ledgers, tasks Tasks, dirs []string) tea.Cmd {
	return func() tea.Msg {
		msg := ledgersMsg{looked: dirs, in: ledgers.In(ctx, dirs)}
		if tasks != nil {
			msg.tasks = tasks.Counts(ctx, dirs)
		}
		return msg
	}
}

// knownLedgers caches which projects have a ledger, and how many tasks they have.
type knownLedgers struct {
	has   map[string]bool
	tasks map[string]int
	stale bool // there may be projects that weren't checked
}

// of reports whether a project has a ledger. known reports whether the project was checked.
func (k *knownLedgers) of(dir string) (has, known bool) {
	has, known = k.has[dir]
	return has, known
}

// learn keeps what a screen has found out about a project.
func (k *knownLedgers) learn(e screen.Effect) {
	switch e := e.(type) {
	case screen.HasLedger:
		k.has[e.Dir] = e.Has
	case screen.HasTasks:
		k.tasks[e.Dir] = e.Count
	}
}

// forget removes the projects without a ledger from the cache, because they may have a ledger now.
func (k *knownLedgers) forget() {
	for dir, has := range k.has {
		if !has {
			delete(k.has, dir)
			k.stale = true
		}
	}
}

// newLedger returns the screen of the Ledger tab.
func newLedger(m *model) *ledgerview.Page {
	return ledgerview.New(ledgerview.Options{
		Context: m.ctx, Ledgers: m.Ledgers, Now: m.opts.Now, CanChange: m.Changes != nil, CanOpen: m.Actions != nil,
		Prose: func(text string, prose, code int, s *render.Styles) []string { return m.prose(text, prose, code, s) }, Newest: m.lists.Newest,
	})
}

// ledgerDir returns the project for the tabs of the ledger and of tasks. This is the project of the project page or, if there is none,
// the listed project or the project of the selected row. It returns "" if there is no project.
func (m *model) ledgerDir() string {
	row := m.lists.Subject().Row
	switch {
	case m.ledgerFor != "":
		return m.ledgerFor
	case m.tab == ledgerTab:
		return m.ledger.Subject().Dir
	case m.tab == tasksTab:
		return m.tasks.Subject().Dir
	case m.pageOf() != "":
		return m.pageOf()
	case m.lists.Listed() != "":
		return m.lists.Listed()
	case row != nil && row.Project != "":
		return row.Project
	}
	return m.lists.Project()
}

// wantsLedger checks which of the listed projects have a ledger, as soon as the list is complete. If at least one
// has a ledger, the tab is shown.
func (m *model) wantsLedger() tea.Cmd {
	if m.Ledgers == nil || m.lists.IsLoading() || m.feed.gen == 0 || !m.ledgers.stale || m.top().screen != m.lists && !m.onPage() {
		return nil
	}
	m.ledgers.stale = false
	var dirs []string
	unknown := func(dir string) {
		if _, known := m.ledgers.of(dir); dir != "" && !known && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	unknown(m.lists.Project())
	for _, kind := range kinds() {
		for r := range m.lists.Rows(kind) {
			unknown(r.Project)
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	return findLedgers(m.ctx, m.Ledgers, m.Tasks, dirs)
}

// ledgersFound stores which projects have a ledger.
func (m *model) ledgersFound(msg ledgersMsg) {
	for _, dir := range msg.looked {
		m.ledgers.has[dir], m.ledgers.tasks[dir] = slices.Contains(msg.in, dir), msg.tasks[dir]
	}
	had := m.used
	if m.useTabs(); m.used != had {
		m.arrange()
	}
}

// openOf shows the tab of the ledger or of the tasks of a project, and starts to read them.
func (m *model) openOf(tab int, dir string) tea.Cmd {
	id, to := ledgerScreen, m.ledger.To
	if tab == tasksTab {
		id, to = tasksScreen, m.tasks.To
	}
	m.tab, m.stack[0], m.ledgerFor = tab, m.bases[id], ""
	asked := m.carry(id, to(dir, m.width < screen.PreviewFrom))
	m.arrange()
	return asked
}

// lookForLedger makes the program check projects without a ledger again, because they may have a ledger now.
func (m *model) lookForLedger() {
	if m.tab >= ledgerTab || !m.awake.Load() {
		return
	}
	m.ledgers.forget()
	m.ledger.Forgive()
}
