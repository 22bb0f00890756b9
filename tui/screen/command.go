package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Quiet is the delay before a screen shows that it is waiting.
const Quiet = 150 * time.Millisecond

// After returns a command that returns msg() after d, or nil if ctx ends first. Unlike tea.Tick it doesn't outlive the
// program.
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
