package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/facts"
	"github.com/continuo-tui/continuo/tui/familyview"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
	"github.com/continuo-tui/continuo/tui/search"
)

// openGate opens the gate of a project and runs it. of is the session for the handoff. If of is empty, the gate
// uses the newest session of the project.
func (m *model) openGate(dir string, mode gate.Mode, of []sessions.Row) tea.Cmd {
	if m.Ledgers == nil || dir == "" {
		return nil
	}
	var cmd tea.Cmd
	if m.onGate() {
		cmd = m.remove(m.top().id)
	}
	m.status = status{}
	return tea.Batch(cmd, m.push(gateview.New(gateview.Options{
		Context: m.ctx, Gates: m.Ledgers, Now: m.opts.Now, Dir: dir, Mode: mode, Of: of,
		CanChange: m.Changes != nil, CanEdit: m.Actions != nil,
	})))
}

// openFacts opens the facts of a row. If the facts are on top already, it closes them.
func (m *model) openFacts(row sessions.Row) tea.Cmd {
	if top := m.top(); isFacts(top.screen) {
		return m.pop(top.id)
	}
	m.status = status{}
	return m.push(facts.New(facts.Options{Context: m.ctx, Source: m.Actions, Row: row, Rows: m.conversations, Prices: m.opts.Prices}))
}

// openDriven opens a session that continuo drives.
func (m *model) openDriven(e screen.Drive) tea.Cmd {
	m.status, m.drove = status{}, true
	return m.push(live.NewTalk(live.TalkOptions{
		Context: m.ctx, Source: m.Live, ID: e.ID, Answer: e.Answer, Keeper: m.opts.Keeper, Rows: m.lists.Rows(sessions.KindSession),
		Answers: m.markdown,
		Read: func(row sessions.Row) live.Reader {
			return reader.New(reader.Options{Context: m.ctx, Source: m.Source, Row: row, Answers: m.markdown, Prose: m.prose, Held: m.lists.Held, Chain: m.lists.ChainStatus})
		},
	}))
}

func isFacts(s screen.Screen) bool {
	_, ok := s.(*facts.Page)
	return ok
}

// openSearch opens the search over all conversations. If a filter is kept, the search starts with the text of the
// filter.
func (m *model) openSearch() tea.Cmd {
	text := ""
	if m.top().screen == m.lists {
		text = m.lists.Filtered()
	}
	return m.searchFor(text)
}

// searchFor opens the search with a text.
func (m *model) searchFor(text string) tea.Cmd {
	m.status = status{}
	return m.push(search.New(search.Options{
		Context: m.ctx, Source: m.Searcher, Sessions: m.Source, Window: m.windowOf, Text: text, Project: m.opts.Project, Here: m.lists.Listed() != "", Home: m.opts.Home, Now: m.opts.Now, Answers: m.markdown,
	}))
}

// showPage shows the page of a project.
func (m *model) showPage(p *project.Page) tea.Cmd {
	m.led = nil
	return tea.Batch(m.toBase(), m.push(p))
}

// leadOn goes from the page of a project to a list. The key esc then returns to the page.
func (m *model) leadOn() tea.Cmd {
	m.led = m.projectPage()
	m.ledgerFor = m.pageOf()
	return m.toBase()
}

// windowOf returns the name of the tmux window of a client; "" if it isn't in tmux.
func (m *model) windowOf(ctx context.Context, pid int) string {
	if m.Live == nil {
		return ""
	}
	return m.Live.Panes(ctx, []int{pid})[pid].Name
}

// isSession reports whether a row is a session or a backup of a session.
func isSession(row *sessions.Row) bool { return row != nil && row.Kind != sessions.KindDocument }

// openFamily opens the family of the current session.
func (m *model) openFamily() tea.Cmd {
	row := m.subject()
	if !isSession(row) {
		return nil
	}
	m.status = status{}
	return m.push(familyview.New(familyview.Options{
		Context: m.ctx, Of: *row, Held: m.lists.Held, Loading: m.lists.IsLoading,
		Beside: preview.Beside{Context: m.ctx, Source: m.Source, Window: m.windowOf, Answers: m.markdown},
		Rows:   m.conversations,
	}))
}

// conversations yields the sessions and backups of the lists.
func (m *model) conversations(yield func(*sessions.Row) bool) {
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup} {
		for row := range m.lists.Rows(kind) {
			if !yield(row) {
				return
			}
		}
	}
}

// pageDir returns the project whose page can be opened here, "" if there is none.
func (m *model) pageDir() string {
	switch row := m.subject(); {
	case m.Projects == nil:
	case m.onLedger():
		return m.ledger.Subject().Dir
	case m.tab == tasksTab && m.onBase():
		return m.tasks.Subject().Dir
	case row != nil:
		return row.Project
	case m.top().screen == m.lists:
		return m.lists.Listed()
	}
	return ""
}

// openPage opens the page of the current project.
func (m *model) openPage() tea.Cmd {
	dir := m.pageDir()
	if dir == "" {
		return nil
	}
	o := project.Options{Context: m.ctx, Projects: m.Projects, Now: m.opts.Now, Dir: dir, Row: m.lists.Held}
	if m.isReading() {
		if m.pageOf() == dir { // this page is already open
			return m.pop(m.top().id)
		}
		row := *m.subject()
		o.Behind = &row
	}
	return m.showPage(project.New(o))
}
