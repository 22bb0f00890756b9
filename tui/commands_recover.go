package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

// takeRecovery does something with a recovery.
func takeRecovery(ctx context.Context, ledgers Ledgers, dir string, r recovery.Result, how Taking, gen int) tea.Cmd {
	return func() tea.Msg {
		taken, err := ledgers.Take(ctx, dir, r, how)
		return takenMsg{gen: gen, how: how, taken: taken, err: err}
	}
}

// askBead asks which bead of a project is worked on. Where that cannot be told, none is.
func askBead(ledgers Ledgers) func(ctx context.Context, dir string) *beads.Bead {
	return func(ctx context.Context, dir string) *beads.Bead {
		l, err := ledgers.Ledger(ctx, dir)
		if err != nil || l.Beads == nil {
			return nil
		}
		if list := l.Beads.AtWork(); len(list) > 0 {
			return list[0]
		}
		return nil
	}
}
