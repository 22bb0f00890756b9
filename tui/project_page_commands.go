package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The commands of the page of a project: besides those of commands.go, and by the same rules.

const (
	pageEvery = 2 * time.Second // between two looks at a project that changes
	pageStale = 5 * time.Second // git, the hooks and the memory tell nothing: it is looked at again after that
	pageTick  = time.Second     // between two looks at the clock: the page says how old it is
)

func askProject(ctx context.Context, projects Projects, dir string, now func() time.Time, gen int) tea.Cmd {
	return func() tea.Msg {
		asked := now()
		facts, err := projects.Project(ctx, dir)
		return projectMsg{gen: gen, asked: asked, facts: facts, err: err}
	}
}

func waitPage(ctx context.Context, gen int) tea.Cmd {
	return after(ctx, quiet, func() tea.Msg { return pageSlowMsg{gen} })
}

func waitPageDue(ctx context.Context, gen int) tea.Cmd {
	return after(ctx, pageEvery, func() tea.Msg { return pageDueMsg{gen} })
}

func tickPage(ctx context.Context, now func() time.Time, gen int) tea.Cmd {
	return after(ctx, pageTick, func() tea.Msg { return pageClockMsg{gen, now()} })
}
