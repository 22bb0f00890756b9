package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// ledgersMsg has the checked projects (looked), the projects with a ledger (in), and the number of tasks of each
// project.
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
	stale bool // some projects of the lists may be unchecked
}

// of reports whether a project has a ledger. known reports whether the project was checked.
func (k *knownLedgers) of(dir string) (has, known bool) {
	has, known = k.has[dir]
	return has, known
}

// learn caches what a screen has found out about a project.
func (k *knownLedgers) learn(e screen.Effect) {
	switch e := e.(type) {
	case screen.HasLedger:
		k.has[e.Dir] = e.Has
	case screen.HasTasks:
		k.tasks[e.Dir] = e.Count
	}
}

// forget removes the projects without a ledger from the cache, because they may have got a ledger.
func (k *knownLedgers) forget() {
	for dir, has := range k.has {
		if !has {
			delete(k.has, dir)
			k.stale = true
		}
	}
}

// checkLedgers starts a check of the unchecked projects. It waits until the list is complete.
func (m *model) checkLedgers() tea.Cmd {
	if m.Ledgers == nil || m.lists.IsLoading() || m.feed.gen == 0 || !m.ledgers.stale || m.top().screen != m.lists && !m.onPage() {
		return nil
	}
	m.ledgers.stale = false
	dirs := m.unchecked()
	if len(dirs) == 0 {
		return nil
	}
	return findLedgers(m.ctx, m.Ledgers, m.Tasks, dirs)
}
