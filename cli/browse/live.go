package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui"
)

// Clients implements tui.Live.
type Clients struct{ Env *place.Env }

// Places implements tui.Live.
func (c Clients) Places(ctx context.Context, pids []int) map[int]tui.LivePlace {
	places := map[int]tui.LivePlace{}
	for pid, pane := range c.Env.Host.Tmux().PanesOf(ctx, pids) {
		places[pid] = tui.LivePlace{Pane: pane.ID, Name: pane.Name}
	}
	return places
}
