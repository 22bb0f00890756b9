package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/screen"
)

// lookToRecover looks at the ledger of a project.
func lookToRecover(ctx context.Context, ledgers Ledgers, dir string, gen int) tea.Cmd {
	return func() tea.Msg {
		look, err := ledgers.Recall(ctx, dir)
		return recallMsg{gen: gen, look: look, err: err}
	}
}

// recall reads a level of a ledger.
func recall(ctx context.Context, look Recall, ask recovery.Ask, gen int) tea.Cmd {
	return func() tea.Msg {
		result, err := look.Recover(ctx, ask)
		return recalledMsg{gen: gen, result: result, err: err}
	}
}

func waitRecall(ctx context.Context, gen int) tea.Cmd {
	return screen.After(ctx, quiet, func() tea.Msg { return recallSlowMsg{gen} })
}

// waitAbout waits until the typing has paused.
func waitAbout(ctx context.Context, gen int) tea.Cmd {
	return screen.After(ctx, previewDelay, func() tea.Msg { return recallDueMsg{gen} })
}

// takeRecovery does something with a recovery.
func takeRecovery(ctx context.Context, ledgers Ledgers, dir string, r recovery.Result, how Taking, gen int) tea.Cmd {
	return func() tea.Msg {
		taken, err := ledgers.Take(ctx, dir, r, how)
		return takenMsg{gen: gen, how: how, taken: taken, err: err}
	}
}

// askBead asks which bead of a project is worked on. Where that cannot be told, none is.
func askBead(ctx context.Context, ledgers Ledgers, dir string, gen int) tea.Cmd {
	return func() tea.Msg {
		l, err := ledgers.Ledger(ctx, dir)
		if err != nil || l.Beads == nil {
			return nil
		}
		if list := l.Beads.AtWork(); len(list) > 0 {
			return notedMsg{gen: gen, bead: list[0]}
		}
		return nil
	}
}
