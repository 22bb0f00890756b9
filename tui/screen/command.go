package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Quiet is how long a wait says nothing.
const Quiet = 150 * time.Millisecond

// After returns a message when some time has passed, or nil when ctx has ended before. tea.Tick would outlive the
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
