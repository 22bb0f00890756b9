package live

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// ends has the driven sessions that have ended.
type ends struct {
	driven    []keeper.Session
	after     uint64 // ID of the last event that driven includes
	listening bool   // a command waits for the end of a session
}

// endsMsg has the driven sessions after one has ended.
type endsMsg struct {
	driven []keeper.Session
	after  uint64
}

// listen returns a command that waits until a driven session has ended.
func (p *Page) listen() []screen.Effect {
	ctx, source, after := p.opts.Context, p.opts.Source, p.after
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		for {
			events, lost, err := source.Events(ctx, after)
			if err != nil {
				return nil
			}
			for _, e := range events {
				after = e.ID
			}
			if lost || slices.ContainsFunc(events, func(e keeper.Event) bool { return e.Kind == keeper.EventEnded }) {
				return endsMsg{source.Sessions(), after}
			}
		}
	})}
}

// ending returns how the client of a session has ended. If continuo didn't drive the session, the name of a backup that
// was made at the end has the reason.
func (p *Page) ending(r *sessions.Row) (e render.Ending) {
	for i := range p.driven {
		if s := &p.driven[i]; s.ID == r.ID && s.Status == keeper.StatusEnded {
			e.How, e.Why = s.Ending()
			e.Wrong = s.Err != ""
			return e
		}
	}
	for b := range p.opts.Backups {
		if b.Of != r.ID || b.When().Before(r.When()) {
			continue
		}
		if how := render.MadeBy(b.ID); slices.Contains([]string{"exit", "clear", "logout"}, how) {
			e.How = how
		}
	}
	return e
}
