package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Quiet is how long a screen waits before it shows that it is waiting.
const Quiet = 150 * time.Millisecond

// After returns a command that waits for d and then returns msg(). If ctx ends first, the command returns nil. So
// the command ends with the program, which a command of tea.Tick may not do.
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
