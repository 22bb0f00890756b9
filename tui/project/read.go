package project

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	every = 2 * time.Second // minimum time between two reads during changes
	// Age at which the project is read again, because git and the hooks send no events.
	stale = 5 * time.Second
	tick  = time.Second // interval of the clock, for the age of the page
)

// Projects reads projects.
type Projects interface {
	// Project reads the current state of a project.
	Project(ctx context.Context, dir string) (survey.Project, error)
}

// Messages of the commands.
type (
	readMsg struct {
		asked time.Time // when the read began
		facts survey.Project
		err   error
	}
	// slowMsg is sent if the first read takes long.
	slowMsg struct{}
	// dueMsg is sent when a scheduled read is due.
	dueMsg struct{}
)

func read(ctx context.Context, projects Projects, dir string, now func() time.Time) screen.Cmd {
	return func() tea.Msg {
		asked := now()
		facts, err := projects.Project(ctx, dir)
		return readMsg{asked: asked, facts: facts, err: err}
	}
}

func (p *Page) wait(d time.Duration, msg tea.Msg) screen.Effect {
	return screen.Cmd(screen.After(p.ctx, d, func() tea.Msg { return msg }))
}

func (p *Page) nextTick() screen.Effect {
	now := p.opts.Now
	return screen.Cmd(screen.After(p.ctx, tick, func() tea.Msg { return screen.Second{Now: now()} }))
}

// ask reads the project. Only one read runs at a time.
func (p *Page) ask() []screen.Effect {
	if p.asking {
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	return []screen.Effect{read(p.ctx, p.opts.Projects, p.opts.Dir, p.opts.Now)}
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case readMsg:
		return p.looked(msg)
	case slowMsg:
		p.slow = p.facts == nil && p.err == nil
	case dueMsg:
		p.due = false
		return p.ask()
	case screen.Second:
		return p.ticked(msg.Now)
	case screen.Rows:
		p.renew()
		if p.isOf(msg.Came) || p.isOf(msg.Went) {
			return p.changed()
		}
	}
	return nil
}

func (p *Page) looked(msg readMsg) []screen.Effect {
	p.asking, p.asked = false, msg.asked
	p.arrived(msg.facts, msg.err)
	p.renew()
	effects := []screen.Effect{screen.Clock{Now: msg.facts.Checked}}
	if p.again {
		return append(effects, p.changed()...)
	}
	return effects
}

// ticked updates the displayed age every second, and reads a stale project again.
func (p *Page) ticked(now time.Time) []screen.Effect {
	effects := []screen.Effect{screen.Clock{Now: now}, p.nextTick()}
	if p.frame.Awake && p.frame.Front && !p.asking && now.Sub(p.asked) >= stale {
		effects = append(effects, p.ask()...)
	}
	return effects
}

// changed reads the project again after a change, but at most once in two seconds.
func (p *Page) changed() []screen.Effect {
	if p.due {
		return nil
	}
	p.due = true
	return []screen.Effect{p.wait(every, dueMsg{})}
}

// isOf reports whether at least one of the rows belongs to the project.
func (p *Page) isOf(rows []sessions.Row) bool {
	return slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Project == p.opts.Dir || r.Workdir == p.opts.Dir })
}
