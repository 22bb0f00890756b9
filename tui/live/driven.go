package live

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// driven has the sessions that continuo drives. A question, an answer or an ended session causes a new read.
type driven struct {
	states    []keeper.Session
	after     uint64 // ID of the last event that states reflects
	listening bool   // a command is waiting for the next event
}

// drivenMsg has the driven sessions after an event.
type drivenMsg struct {
	states []keeper.Session
	after  uint64
}

// listen returns a command that waits for a question, an answer, or the end of a session.
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
			if lost || slices.ContainsFunc(events, func(e keeper.Event) bool {
				return e.Kind == keeper.EventRequested || e.Kind == keeper.EventResolved || e.Kind == keeper.EventEnded
			}) {
				return drivenMsg{source.Sessions(), after}
			}
		}
	})}
}

// state returns the state of a driven session, or nil.
func (d *driven) state(id string) *keeper.Session {
	i := slices.IndexFunc(d.states, func(s keeper.Session) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &d.states[i]
}

// waits returns what a live session waits for, or nil.
func (p *Page) waits(r *sessions.Row) []render.Span {
	if s := p.state(r.ID); s != nil {
		if q := question(s); q != nil {
			return asks(q, s.Dir, p.frame.Home)
		}
	}
	if text := transcript.CleanLine(r.Live.WaitingFor); text != "" {
		return []render.Span{{Ink: render.Text, Text: text}}
	}
	return nil
}

// ending returns how the client of a session ended. For other clients, the name of the last backup has the reason.
func (p *Page) ending(r *sessions.Row) (e render.Ending) {
	if s := p.state(r.ID); s != nil && s.Status == keeper.StatusEnded {
		e.How, e.Why = s.Ending()
		e.Wrong = s.Err != ""
		return e
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
