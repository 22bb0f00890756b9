package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Quiet is the time after which a screen shows that it is still waiting.
const Quiet = 150 * time.Millisecond

// After returns a command that waits for d and then returns msg(). If ctx ends first, it returns nil. A tea.Tick can't
// be cancelled.
func After(ctx context.Context, d time.Duration, msg func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg()
		case <-ctx.Done():
			return nil
		}
	}
}
