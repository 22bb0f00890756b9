package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// planChange looks what a change would do.
func planChange(ctx context.Context, changes Changes, ask Change, gen int) tea.Cmd {
	return func() tea.Msg {
		plan, err := changes.Plan(ctx, ask)
		return plannedMsg{gen: gen, plan: plan, err: err}
	}
}

// doChange carries a plan out, unless the program has ended before.
func doChange(ctx context.Context, changes Changes, d *doing) tea.Cmd {
	return func() tea.Msg {
		if !d.begun.CompareAndSwap(false, true) {
			return nil
		}
		defer close(d.done)
		d.said, d.err = changes.Do(ctx, d.plan)
		return doneMsg{of: d, done: d.said, err: d.err}
	}
}

// lookPast asks what was done.
func lookPast(ctx context.Context, changes Changes) tea.Cmd {
	return func() tea.Msg {
		past, err := changes.Past(ctx)
		return pastMsg{past: past, err: err}
	}
}

func waitChange(ctx context.Context, gen int, word string) tea.Cmd {
	return screen.After(ctx, quiet, func() tea.Msg { return changeSlowMsg{gen, word} })
}

func waitDone(ctx context.Context, d *doing) tea.Cmd {
	return screen.After(ctx, quiet, func() tea.Msg { return doSlowMsg{d} })
}
