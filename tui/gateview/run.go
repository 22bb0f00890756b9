package gateview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Gates runs gates.
type Gates interface {
	// Gate runs the gate of a folder, without writing anything.
	Gate(ctx context.Context, dir string, ask Ask) (gate.Report, error)
}

// Ask selects the gate to run.
type Ask struct {
	Full    bool   // run all 7 steps, not only the first 3
	Session string // session whose context will be wiped; "" for the newest one
}

// tick is the interval of clockMsg during a run.
const tick = 100 * time.Millisecond

// Messages of the commands.
type (
	ranMsg struct {
		gen    int
		report gate.Report
		err    error
		took   time.Duration
		at     time.Time
	}
	// clockMsg has the current time during a run.
	clockMsg struct {
		gen int
		now time.Time
	}
)

// start runs the gate. The result of an older run is dropped.
func (p *Page) start() []screen.Effect {
	if p.cancel != nil {
		p.cancel()
	}
	p.gen++
	p.running, p.slow, p.elapsed, p.began = true, false, 0, time.Time{}
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	return []screen.Effect{
		screen.Cmd(run(p.ctx, p.opts.Gates, p.opts.Dir, p.ask(), p.opts.Now, p.gen)),
		screen.Cmd(wait(p.ctx, screen.Quiet, p.opts.Now, p.gen)),
	}
}

// ask returns which gate to run.
func (p *Page) ask() Ask {
	ask := Ask{Full: p.opts.Mode == gate.Full}
	if of := p.opts.Of; len(of) == 1 && of[0].Kind == sessions.KindSession {
		ask.Session = of[0].ID
	}
	return ask
}

// run returns the command that runs the gate of a project.
func run(ctx context.Context, gates Gates, dir string, ask Ask, now func() time.Time, gen int) tea.Cmd {
	return func() tea.Msg {
		began := now()
		report, err := gates.Gate(ctx, dir, ask)
		at := now()
		return ranMsg{gen: gen, report: report, err: err, took: at.Sub(began), at: at}
	}
}

func wait(ctx context.Context, d time.Duration, now func() time.Time, gen int) tea.Cmd {
	return screen.After(ctx, d, func() tea.Msg { return clockMsg{gen, now()} })
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case ranMsg:
		if p.gen != msg.gen || !p.running {
			return nil
		}
		p.arrived(msg)
		return []screen.Effect{screen.Clock{Now: msg.at}}
	case clockMsg:
		if p.gen != msg.gen || !p.running {
			return nil
		}
		if p.began.IsZero() {
			p.began = msg.now.Add(-screen.Quiet) // the first clockMsg is sent after screen.Quiet
		}
		p.slow, p.elapsed = true, msg.now.Sub(p.began)
		return []screen.Effect{screen.Cmd(wait(p.ctx, tick, p.opts.Now, p.gen))}
	case screen.Changed, screen.Back: // the problems may have been fixed
		return p.start()
	}
	return nil
}
